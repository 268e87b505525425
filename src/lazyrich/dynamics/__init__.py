"""How parameters move: an objective and a start become a trajectory."""

from .base import AbstractDynamics
from .descent import GradientDescent
from .flow import GradientFlow
from .trajectory import Outcome, Trajectory

ALL = (GradientFlow, GradientDescent)

__all__ = ["ALL", "AbstractDynamics", "GradientDescent", "GradientFlow", "Outcome", "Trajectory"]
