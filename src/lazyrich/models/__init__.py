"""The functions that are fitted. Parameters and function are one object."""

from .base import AbstractLinearModel, AbstractModel, entries, outputs, parameters, require_movable
from .diagonal import DiagonalNet, LogDiagonalNet
from .linear_net import LinearNet

ALL = (DiagonalNet, LogDiagonalNet, LinearNet)

__all__ = [
    "ALL",
    "AbstractLinearModel",
    "AbstractModel",
    "DiagonalNet",
    "LinearNet",
    "LogDiagonalNet",
    "entries",
    "outputs",
    "parameters",
    "require_movable",
]
