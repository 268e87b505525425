"""What a misfit costs, per sample, and the factor that sums the samples."""

from .base import HALF_SUM, MEAN, SUM, AbstractLoss, Factor
from .cross_entropy import CrossEntropy
from .exponential import Exponential
from .logistic import Logistic
from .squared import Squared

ALL = (Squared, Logistic, Exponential, CrossEntropy)

__all__ = [
    "ALL",
    "HALF_SUM",
    "MEAN",
    "SUM",
    "AbstractLoss",
    "CrossEntropy",
    "Exponential",
    "Factor",
    "Logistic",
    "Squared",
]
