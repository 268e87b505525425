"""What a misfit costs, per sample, and the reduction that sums the samples."""

from .base import REDUCTIONS, AbstractLoss, Reduction, sample_weight
from .cross_entropy import CrossEntropy
from .exponential import Exponential
from .logistic import Logistic
from .squared import Squared

ALL = (Squared, Logistic, Exponential, CrossEntropy)

__all__ = [
    "ALL",
    "REDUCTIONS",
    "AbstractLoss",
    "CrossEntropy",
    "Exponential",
    "Reduction",
    "Logistic",
    "Squared",
    "sample_weight",
]
