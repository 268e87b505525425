"""The functions that are fitted. Parameters and function are one object."""

from .asymmetric import ProductNet
from .base import AbstractLinearModel, AbstractModel, entries, outputs, parameters, require_movable
from .diagonal import DiagonalNet, LogDiagonalNet
from .linear import Linear
from .linear_net import LinearNet
from .pair_net import PairNet
from .wide_parallel import WideParallel

ALL = (DiagonalNet, LogDiagonalNet, Linear, ProductNet, WideParallel, LinearNet, PairNet)

__all__ = [
    "ALL",
    "AbstractLinearModel",
    "AbstractModel",
    "DiagonalNet",
    "Linear",
    "LinearNet",
    "LogDiagonalNet",
    "PairNet",
    "ProductNet",
    "WideParallel",
    "entries",
    "outputs",
    "parameters",
    "require_movable",
]
