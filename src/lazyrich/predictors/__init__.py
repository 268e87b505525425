"""What theory says training converges to, each answer with a certificate. Imports no dynamics."""

from .base import AbstractPredictor, AbstractVectorPredictor, Certificate, Reference
from .center_dual import OptimalDuals, excess_l1, excess_l1_law, planted_rate
from .hyperbolic_entropy import MinHyperbolicEntropy
from .margin_certificate import certify_margin
from .max_margin import MaxMargin
from .min_distance import MinDistance
from .min_l1 import MinL1
from .min_l2 import MinL2
from .shifted_entropy import MinShiftedEntropy

INTERPOLATING = (MinL2(), MinL1(), MinHyperbolicEntropy(0.1), MinHyperbolicEntropy(0.1, depth=3), MinDistance(0.1))
"""One ready predictor of each kind that fits real answers."""
SEPARATING = (MaxMargin("l2"), MaxMargin("l1"))
"""One of each kind that separates labels -1 and +1."""
ALL = (*INTERPOLATING, *SEPARATING)

__all__ = [
    "ALL",
    "INTERPOLATING",
    "SEPARATING",
    "AbstractPredictor",
    "AbstractVectorPredictor",
    "Certificate",
    "MaxMargin",
    "MinDistance",
    "MinHyperbolicEntropy",
    "MinL1",
    "MinL2",
    "MinShiftedEntropy",
    "OptimalDuals",
    "Reference",
    "certify_margin",
    "excess_l1",
    "excess_l1_law",
    "planted_rate",
]
