"""Where a model starts."""

from .constant import constant
from .identity import identity, noisy_identity

ALL = (constant, identity, noisy_identity)

__all__ = ["ALL", "constant", "identity", "noisy_identity"]
