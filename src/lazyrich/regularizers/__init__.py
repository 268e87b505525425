"""What large parameters cost. The strength that multiplies it is kept outside."""

from .base import AbstractRegularizer
from .l2 import L2

ALL = (L2,)

__all__ = ["ALL", "AbstractRegularizer", "L2"]
