"""How parameters move: an objective and a start become a trajectory."""

from .base import AbstractDynamics
from .descent import GradientDescent
from .flow import GradientFlow
from .label_noise import LabelNoiseSGD
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
]
