"""Where a model begins: initializations."""

from .balanced import balanced
from .bartlett import bartlett
from .constant import constant
from .gaussian import gaussian
from .he import he, he_images, he_pairs, relu_line
from .identity import identity, noisy_identity
from .orthogonal import orthogonal

ALL = (constant, gaussian, bartlett, balanced, orthogonal, he, he_images, he_pairs, relu_line, identity, noisy_identity)

__all__ = [
    "ALL",
    "balanced",
    "bartlett",
    "constant",
    "gaussian",
    "he",
    "he_images",
    "he_pairs",
    "identity",
    "noisy_identity",
    "orthogonal",
    "relu_line",
]
