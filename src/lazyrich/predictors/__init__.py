"""What theory says training converges to, each answer with a certificate. Imports no dynamics."""

from ..losses import SUM
from .base import AbstractPredictor, AbstractVectorPredictor, Certificate, Reference
from .hyperbolic_entropy import MinHyperbolicEntropy
from .margin_certificate import certify_margin
from .matrix_predictor import AbstractMatrixPredictor
from .max_margin import MaxMargin
from .min_frobenius import MinFrobenius
from .min_l1 import MinL1
from .min_l2 import MinL2
from .min_nuclear import MinNuclear
from .nuclear_lasso import NuclearLasso
from .planted import planted_is_minimizer
from .schatten_entropy import MinSchattenEntropy

INTERPOLATING = (MinL2(), MinL1(), MinHyperbolicEntropy(0.1))
"""One ready predictor of each kind that fits real answers."""
SEPARATING = (MaxMargin("l2"), MaxMargin("l1"))
"""One of each kind that separates labels -1 and +1."""
MATRICES = (MinFrobenius(), MinNuclear(), MinSchattenEntropy(0.1), NuclearLasso(0.1, SUM))
"""One of each kind that finds a matrix."""
ALL = (*INTERPOLATING, *SEPARATING, *MATRICES)

__all__ = [
    "ALL",
    "INTERPOLATING",
    "MATRICES",
    "SEPARATING",
    "AbstractMatrixPredictor",
    "AbstractPredictor",
    "AbstractVectorPredictor",
    "Certificate",
    "MaxMargin",
    "MinFrobenius",
    "MinHyperbolicEntropy",
    "MinL1",
    "MinL2",
    "MinNuclear",
    "MinSchattenEntropy",
    "NuclearLasso",
    "Reference",
    "certify_margin",
    "planted_is_minimizer",
]
