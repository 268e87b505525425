"""The matrix whose entries are its own weights."""

import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float
from .base import AbstractLinearModel


class Matrix(AbstractLinearModel):
    r"""$f_\theta(x) = W^\top x$ with $\theta = W$: a matrix to be completed or sensed, of degree 1.

    Source: beyond_l2, section 2.
    """

    w: Float[Array, "d k"]

    def __check_init__(self):
        """The weights are a matrix."""
        if self.w.ndim != 2:
            raise BadInput(
                needed="a Matrix takes w of shape (d, k)",
                given=f"shape {self.w.shape}",
                cure="Use Matrix.at_scale(0.0, shape=(d, k)) to start from zero, or Linear for a vector.",
            )

    @classmethod
    def at_scale(cls, alpha, *, shape: tuple[int, int]) -> "Matrix":
        r"""Every entry at `alpha`."""
        return cls(jnp.full(shape, alpha, dtype=jnp.zeros(()).dtype))

    @property
    def degree(self) -> int:
        """One."""
        return 1

    def parameters(self):
        """The entries."""
        return self.w

    def effective(self) -> Float[Array, "d k"]:
        """The entries."""
        return self.w

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " k"]:
        """The outputs for one input."""
        return x @ self.w
