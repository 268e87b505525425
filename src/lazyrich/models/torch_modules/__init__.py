"""Modules of PyTorch as models: their layers, functions and parameters carried over. Loading this needs no PyTorch."""

from .door import from_torch
from .net import TorchNet

__all__ = ["TorchNet", "from_torch"]
