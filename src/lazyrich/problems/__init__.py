"""What must be fitted: data drawn from a law, with the truth kept beside it."""

from .base import AbstractLaw, Entries, Problem, Split
from .compressed_sensing import compressed_sensing, measure
from .images import cifar10, digits, mnist
from .low_rank_product import low_rank_product
from .margin_classification import MarginLaw, margin_classification
from .matrix import low_rank_matrix, multiplication_table
from .modular_addition import modular_addition
from .modular_tables import modular_table
from .orthogonal_matrix import local_coherence, orthogonal_completion, orthogonal_matrix, orthogonal_sensing
from .relu_teacher import ReluLaw, relu_teacher
from .signals import digit_zero, fourier, polynomial, waves
from .sparse_classification import SparseSignLaw, sparse_classification
from .sparse_recovery import SparseLinearLaw, sparse_recovery
from .teacher_student import CircleLaw, circle_teacher

ALL = (sparse_recovery, sparse_classification, margin_classification, multiplication_table, low_rank_matrix)

__all__ = [
    "ALL",
    "AbstractLaw",
    "CircleLaw",
    "Entries",
    "MarginLaw",
    "Problem",
    "ReluLaw",
    "SparseLinearLaw",
    "SparseSignLaw",
    "Split",
    "circle_teacher",
    "cifar10",
    "compressed_sensing",
    "digit_zero",
    "digits",
    "fourier",
    "local_coherence",
    "low_rank_matrix",
    "low_rank_product",
    "margin_classification",
    "measure",
    "mnist",
    "modular_addition",
    "modular_table",
    "multiplication_table",
    "orthogonal_completion",
    "orthogonal_matrix",
    "orthogonal_sensing",
    "polynomial",
    "relu_teacher",
    "sparse_classification",
    "sparse_recovery",
    "waves",
]
