"""The plain linear model."""

import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, Scalar
from .base import AbstractLinearModel


class Linear(AbstractLinearModel):
    r"""$f_\theta(x) = \langle w, x\rangle$ with $\theta = w$: of degree 1, so kernel and rich regime are one."""

    w: Float[Array, " d"]

    def __check_init__(self):
        """The weights are a vector."""
        if self.w.ndim != 1:
            raise BadInput(
                needed="a Linear takes w of shape (d,)",
                given=f"shape {self.w.shape}",
                cure="Use Linear.at_scale(0.0, dim=d) to start from zero.",
            )

    @classmethod
    def at_scale(cls, alpha, *, dim: int) -> "Linear":
        r"""Every weight at `alpha`."""
        return cls(jnp.full(dim, alpha, dtype=jnp.zeros(()).dtype))

    @property
    def degree(self) -> int:
        """One."""
        return 1

    def parameters(self):
        """The weights."""
        return self.w

    def effective(self) -> Float[Array, " d"]:
        """The weights."""
        return self.w

    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The output for one input."""
        return self.w @ x
