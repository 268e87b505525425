"""The functions that are fitted. Parameters and function are one object."""

from .base import AbstractLinearModel, AbstractModel, entries, outputs, parameters, require_movable
from .diagonal import DiagonalNet, LogDiagonalNet
from .pair_net import PairNet

ALL = (DiagonalNet, LogDiagonalNet, PairNet)

__all__ = [
    "ALL",
    "AbstractLinearModel",
    "AbstractModel",
    "DiagonalNet",
    "LogDiagonalNet",
    "PairNet",
    "entries",
    "outputs",
    "parameters",
    "require_movable",
]
