"""What theory says training converges to, each answer with a certificate. Imports no dynamics."""

from .base import AbstractPredictor, AbstractVectorPredictor, Certificate, Reference
from .hyperbolic_entropy import MinHyperbolicEntropy
from .kernel import KernelInterpolant, KernelMaxMargin
from .margin_certificate import certify_margin
from .max_margin import MaxMargin
from .max_margin_multiclass import MaxMarginMulticlass
from .min_l1 import MinL1
from .min_l2 import MinL2

INTERPOLATING = (MinL2(), MinL1(), MinHyperbolicEntropy(0.1))
"""One ready predictor of each kind that fits real answers."""
SEPARATING = (MaxMargin("l2"), MaxMargin("l1"))
"""One of each kind that separates labels -1 and +1."""
CLASSIFYING = (MaxMarginMulticlass(),)
"""One of each kind that tells classes 0, 1, ... apart."""
KERNELS = (KernelInterpolant, KernelMaxMargin)
"""The kinds that are made of a model: no one is ready before it is known where training starts."""
ALL = (*INTERPOLATING, *SEPARATING, *CLASSIFYING, *KERNELS)

__all__ = [
    "ALL",
    "CLASSIFYING",
    "INTERPOLATING",
    "KERNELS",
    "SEPARATING",
    "AbstractPredictor",
    "AbstractVectorPredictor",
    "Certificate",
    "KernelInterpolant",
    "KernelMaxMargin",
    "MaxMargin",
    "MaxMarginMulticlass",
    "MinHyperbolicEntropy",
    "MinL1",
    "MinL2",
    "Reference",
    "certify_margin",
]
