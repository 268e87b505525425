"""Where a model starts."""

from .constant import constant
from .he import he_pairs

ALL = (constant, he_pairs)

__all__ = ["ALL", "constant", "he_pairs"]
