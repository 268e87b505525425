"""Where a model starts."""

from .balanced import balanced
from .bartlett import bartlett
from .constant import constant
from .gaussian import gaussian
from .orthogonal import orthogonal

ALL = (constant, gaussian, bartlett, balanced, orthogonal)

__all__ = ["ALL", "balanced", "bartlett", "constant", "gaussian", "orthogonal"]
