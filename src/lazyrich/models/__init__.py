"""The functions that are fitted. Parameters and function are one object."""

from .asymmetric import ProductNet
from .base import AbstractLinearModel, AbstractModel, entries, outputs, parameters, require_movable
from .diagonal import DiagonalNet, LogDiagonalNet
from .linear import Linear
from .pair_net import PairNet
from .wide_parallel import WideParallel

ALL = (DiagonalNet, LogDiagonalNet, Linear, ProductNet, WideParallel, PairNet)

__all__ = [
    "ALL",
    "AbstractLinearModel",
    "AbstractModel",
    "DiagonalNet",
    "Linear",
    "LogDiagonalNet",
    "PairNet",
    "ProductNet",
    "WideParallel",
    "entries",
    "outputs",
    "parameters",
    "require_movable",
]
