"""How parameters move: an objective and a start become a trajectory."""

from .base import AbstractDynamics
from .chebyshev import Chebyshev
from .descent import GradientDescent
from .flow import GradientFlow
from .meter import metered, spent
from .trajectory import Outcome, Trajectory

ALL = (GradientFlow, GradientDescent)

__all__ = [
    "ALL",
    "AbstractDynamics",
    "Chebyshev",
    "GradientDescent",
    "GradientFlow",
    "Outcome",
    "Trajectory",
    "metered",
    "spent",
]
