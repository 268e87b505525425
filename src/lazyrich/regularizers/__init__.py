"""Functions of the parameters that are added to the loss. The strength that multiplies them is kept outside."""

from .base import AbstractRegularizer
from .l1 import L1
from .l2 import L2
from .nuclear import Nuclear
from .one_of import OneOf
from .sobolev import Sobolev

ALL = (L2, L1, Nuclear)

__all__ = ["ALL", "L1", "L2", "AbstractRegularizer", "Nuclear", "OneOf", "Sobolev"]
