"""The functions that are fitted. Parameters and function are one object."""

from .base import AbstractLinearModel, AbstractModel, outputs, parameters, require_movable
from .diagonal import DiagonalNet, LogDiagonalNet

ALL = (DiagonalNet, LogDiagonalNet)

__all__ = [
    "ALL",
    "AbstractLinearModel",
    "AbstractModel",
    "DiagonalNet",
    "LogDiagonalNet",
    "outputs",
    "parameters",
    "require_movable",
]
