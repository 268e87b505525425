"""How parameters move: an objective and a start become a trajectory."""

from .base import AbstractDynamics
from .chebyshev import Chebyshev
from .descent import GradientDescent
from .flow import GradientFlow
from .label_noise import LabelNoiseSGD
from .meter import metered, spent
from .projected import ProjectedSubgradient
from .proximal import ProximalDescent
from .rates import InverseTime
from .rescaled import RescaledDescent
from .sam import OneSAM
from .stochastic import Stochastic
from .trajectory import Outcome, Trajectory

ALL = (
    GradientFlow,
    GradientDescent,
    ProximalDescent,
    ProjectedSubgradient,
    LabelNoiseSGD,
    OneSAM,
    RescaledDescent,
    Stochastic,
)

__all__ = [
    "ALL",
    "AbstractDynamics",
    "Chebyshev",
    "GradientDescent",
    "GradientFlow",
    "InverseTime",
    "LabelNoiseSGD",
    "OneSAM",
    "Outcome",
    "ProjectedSubgradient",
    "ProximalDescent",
    "RescaledDescent",
    "Stochastic",
    "Trajectory",
    "metered",
    "spent",
]
