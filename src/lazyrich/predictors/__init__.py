"""What theory says training converges to, each solution with a certificate. Imports no dynamics."""

from .base import AbstractPredictor, AbstractVectorPredictor, Certificate, Reference
from .denoising import BasisPursuitDenoising
from .elastic_net import ElasticNet
from .hyperbolic_entropy import MinHyperbolicEntropy
from .kernel import KernelInterpolant, KernelMaxMargin
from .lasso import Lasso
from .linear_rates import LinearNetRates, width_distance
from .linear_spline import LinearSpline
from .matrix_predictor import AbstractMatrixPredictor
from .max_margin import MaxMargin
from .max_margin_multiclass import MaxMarginMulticlass
from .min_distance import MinDistance
from .min_frobenius import MinFrobenius
from .min_l1 import MinL1
from .min_l2 import MinL2
from .min_nuclear import MinNuclear
from .nuclear_lasso import NuclearLasso
from .parts.center_dual import OptimalDuals, excess_l1, excess_l1_law, planted_rate
from .parts.margin_certificate import certify_margin
from .parts.planted import planted_is_minimizer
from .relu_spline import ReluKernelSpline
from .ridge import Ridge
from .schatten_entropy import MinSchattenEntropy
from .shifted_entropy import MinShiftedEntropy
from .timescale import Moment, kernel_window, slow_time, transition_time

INTERPOLATING = (MinL2(), MinL1(), MinHyperbolicEntropy(0.1), MinHyperbolicEntropy(0.1, depth=3), MinDistance(0.1))
"""One ready predictor of each kind that fits real targets."""
SEPARATING = (MaxMargin("l2"), MaxMargin("l1"))
"""One of each kind that separates labels -1 and +1."""
CLASSIFYING = (MaxMarginMulticlass(),)
"""One of each kind that tells classes 0, 1, ... apart."""
PENALIZED = (Ridge(0.1, "sum"), Lasso(0.1, "mean"), ElasticNet(0.1, 0.1, "half_sum"), BasisPursuitDenoising(0.1))
"""One of each kind that trades the fit of real targets for a norm."""
FUNCTIONS = (LinearSpline(), ReluKernelSpline(1.0, 1.0, True))
"""One of each kind that fits functions of one variable."""
MATRICES = (MinFrobenius(), MinNuclear(), MinSchattenEntropy(0.1), NuclearLasso(0.1, "sum"))
"""One of each kind that finds a matrix."""
KERNELS = (KernelInterpolant, KernelMaxMargin)
"""The kinds that are made of a model: they need the initialization."""
ALL = (*INTERPOLATING, *SEPARATING, *CLASSIFYING, *PENALIZED, *FUNCTIONS, *MATRICES, *KERNELS)

__all__ = [
    "ALL",
    "CLASSIFYING",
    "FUNCTIONS",
    "INTERPOLATING",
    "KERNELS",
    "MATRICES",
    "PENALIZED",
    "SEPARATING",
    "AbstractMatrixPredictor",
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
    "MinDistance",
    "MinFrobenius",
    "MinHyperbolicEntropy",
    "MinL1",
    "MinL2",
    "MinNuclear",
    "MinSchattenEntropy",
    "MinShiftedEntropy",
    "Moment",
    "NuclearLasso",
    "OptimalDuals",
    "Reference",
    "ReluKernelSpline",
    "Ridge",
    "certify_margin",
    "excess_l1",
    "excess_l1_law",
    "kernel_window",
    "planted_is_minimizer",
    "planted_rate",
    "slow_time",
    "transition_time",
    "width_distance",
]
