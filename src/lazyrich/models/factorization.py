"""Matrices as products of several factors."""

from collections.abc import Sequence
from functools import reduce

import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float
from .base import AbstractLinearModel


class Factorization(AbstractLinearModel):
    r"""$f_\theta(x) = (A_1A_2\cdots A_L)^\top x$ with $\theta = (A_1,\dots,A_L)$: a deep linear net, or a matrix to be completed.

    Homogeneous of degree $L$. Weight decay of strength $\lambda$ costs at least $\lambda\frac L2\sum_k\sigma_k^{2/L}$ of the
    product's singular values: the Frobenius norm for one factor, the nuclear norm for two. Source: beyond_l2, appendix D.11.
    """

    factors: tuple[Float[Array, "rows cols"], ...]

    def __init__(self, factors: Sequence[Array]):
        """Matrices, each with as many rows as the one before has columns."""
        shapes = [part.shape for part in factors]
        if not shapes or any(len(shape) != 2 for shape in shapes) or any(a[1] != b[0] for a, b in _pairs(shapes)):
            raise BadInput(
                needed="a Factorization takes at least one matrix, each with as many rows as the one before has columns",
                given=f"shapes {', '.join(map(str, shapes)) or 'of nothing'}",
                cure="Use Factorization.at_zero((d, k), depth=2), and place it by an init.",
            )
        self.factors = tuple(factors)

    @classmethod
    def at_zero(cls, shape: tuple[int, int], *, depth: int, width: int | None = None) -> "Factorization":
        """Every weight at zero, to be placed by an init; inner factors are as wide as the product has rows by default."""
        sizes = [shape[0], *[width or shape[0]] * (depth - 1), shape[1]]
        return cls([jnp.zeros(pair) for pair in _pairs(sizes)] if depth > 0 else [])

    @property
    def degree(self) -> int:
        """The number of factors."""
        return len(self.factors)

    def parameters(self):
        """The factors."""
        return self.factors

    def effective(self) -> Float[Array, "d k"]:
        r"""$A_1\cdots A_L$."""
        return reduce(jnp.matmul, self.factors)

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " k"]:
        """The outputs for one input."""
        return reduce(jnp.matmul, self.factors, x)


def _pairs(items: Sequence) -> list[tuple]:
    return list(zip(items, items[1:], strict=False))
