"""How parameters move: an objective and an initialization become a trajectory."""

from .base import AbstractDynamics
from .chebyshev import Chebyshev
from .descent import GradientDescent
from .exponential import ExponentialFlow
from .flow import GradientFlow
from .label_noise import LabelNoiseSGD
from .meter import metered, spent
from .projected import ProjectedSubgradient
from .proximal import ProximalDescent
from .rescaled import RescaledDescent
from .sam import OneSAM
from .schedules import InverseTime
from .segments import in_segments
from .sharpness import edge, sharpness
from .stochastic import Stochastic
from .stopping import either, gradient_below, loss_below
from .trajectory import Outcome, Trajectory

ALL = (
    GradientFlow,
    ExponentialFlow,
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
    "ExponentialFlow",
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
    "either",
    "edge",
    "gradient_below",
    "in_segments",
    "loss_below",
    "sharpness",
    "metered",
    "spent",
]
