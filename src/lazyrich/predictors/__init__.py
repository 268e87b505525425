"""What theory says training converges to, each answer with a certificate. Imports no dynamics."""

from .base import AbstractPredictor, Certificate, Reference
from .hyperbolic_entropy import MinHyperbolicEntropy
from .margin_certificate import certify_margin
from .max_margin import MaxMargin
from .min_l1 import MinL1
from .min_l2 import MinL2

ALL = (MinL2(), MinL1(), MinHyperbolicEntropy(0.1), MaxMargin("l2"), MaxMargin("l1"))
"""One ready predictor of each kind: interpolating ones take real answers, `signs_only` ones labels."""

__all__ = [
    "ALL",
    "AbstractPredictor",
    "Certificate",
    "MaxMargin",
    "MinHyperbolicEntropy",
    "MinL1",
    "MinL2",
    "Reference",
    "certify_margin",
]
