"""Where a model starts."""

from .constant import constant

ALL = (constant,)

__all__ = ["ALL", "constant"]
