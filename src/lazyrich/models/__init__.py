"""The functions that are fitted. Parameters and function are one object."""

from .base import AbstractLinearModel, AbstractModel, entries, outputs, parameters, require_movable
from .diagonal import DiagonalNet, LogDiagonalNet

ALL = (DiagonalNet, LogDiagonalNet)

__all__ = [
    "ALL",
    "AbstractLinearModel",
    "AbstractModel",
    "DiagonalNet",
    "LogDiagonalNet",
    "entries",
    "outputs",
    "parameters",
    "require_movable",
]
