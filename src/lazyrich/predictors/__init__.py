"""What theory says training converges to, each answer with a certificate. Imports no dynamics."""

from ..losses import HALF_SUM, MEAN, SUM
from .base import AbstractPredictor, AbstractVectorPredictor, Certificate, Reference
from .denoising import BasisPursuitDenoising
from .elastic_net import ElasticNet
from .hyperbolic_entropy import MinHyperbolicEntropy
from .kernel import KernelInterpolant, KernelMaxMargin
from .lasso import Lasso
from .linear_rates import LinearNetRates, width_distance
from .linear_spline import LinearSpline
from .margin_certificate import certify_margin
from .max_margin import MaxMargin
from .max_margin_multiclass import MaxMarginMulticlass
from .min_l1 import MinL1
from .min_l2 import MinL2
from .relu_spline import ReluKernelSpline
from .ridge import Ridge
from .timescale import Moment, kernel_window, slow_time, transition_time

INTERPOLATING = (MinL2(), MinL1(), MinHyperbolicEntropy(0.1))
"""One ready predictor of each kind that fits real answers."""
SEPARATING = (MaxMargin("l2"), MaxMargin("l1"))
"""One of each kind that separates labels -1 and +1."""
CLASSIFYING = (MaxMarginMulticlass(),)
"""One of each kind that tells classes 0, 1, ... apart."""
PENALIZED = (Ridge(0.1, SUM), Lasso(0.1, MEAN), ElasticNet(0.1, 0.1, HALF_SUM), BasisPursuitDenoising(0.1))
"""One of each kind that trades the fit of real answers for a norm."""
FUNCTIONS = (LinearSpline(), ReluKernelSpline(1.0, 1.0, True))
"""One of each kind that fits functions of one variable."""
KERNELS = (KernelInterpolant, KernelMaxMargin)
"""The kinds that are made of a model: no one is ready before it is known where training starts."""
ALL = (*INTERPOLATING, *SEPARATING, *CLASSIFYING, *PENALIZED, *FUNCTIONS, *KERNELS)

__all__ = [
    "ALL",
    "CLASSIFYING",
    "FUNCTIONS",
    "INTERPOLATING",
    "KERNELS",
    "PENALIZED",
    "SEPARATING",
    "AbstractPredictor",
    "AbstractVectorPredictor",
    "BasisPursuitDenoising",
    "Certificate",
    "ElasticNet",
    "KernelInterpolant",
    "KernelMaxMargin",
    "Lasso",
    "LinearNetRates",
    "LinearSpline",
    "MaxMargin",
    "MaxMarginMulticlass",
    "MinHyperbolicEntropy",
    "MinL1",
    "MinL2",
    "Moment",
    "Reference",
    "ReluKernelSpline",
    "Ridge",
    "certify_margin",
    "kernel_window",
    "slow_time",
    "transition_time",
    "width_distance",
]
