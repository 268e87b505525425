"""The functions that are fitted. Parameters and function are one object."""

from .base import AbstractLinearModel, AbstractModel, entries, outputs, parameters, require_movable
from .diagonal import DiagonalNet, LogDiagonalNet
from .symmetric_net import SymmetricMap, SymmetricNet

ALL = (DiagonalNet, LogDiagonalNet, SymmetricNet, SymmetricMap)

__all__ = [
    "ALL",
    "AbstractLinearModel",
    "AbstractModel",
    "DiagonalNet",
    "LogDiagonalNet",
    "SymmetricMap",
    "SymmetricNet",
    "entries",
    "outputs",
    "parameters",
    "require_movable",
]
