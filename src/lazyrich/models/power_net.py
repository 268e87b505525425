"""Two-layer nets whose activation is a power."""

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, Scalar
from .base import AbstractModel


class PowerNet(AbstractModel):
    r"""$f_\theta(x) = \sum_j a_j\,\langle w_j, x\rangle^m$, or $\sum_j a_j\max(\langle w_j, x\rangle, 0)^m$ where `rectified`.

    Homogeneous of degree $m + 1$: two linear layers for $m = 1$, a quadratic activation or the squared ReLU for $m = 2$.
    A polynomial of its weights, so smooth as the theory of the kernel phase asks, unless it is rectified.
    Source: lyu2024, section 3.1.
    """

    inner: Float[Array, "d h"]
    outer: Float[Array, " h"]
    power: int = eqx.field(static=True, default=2)
    rectified: bool = eqx.field(static=True, default=False)

    def __check_init__(self):
        """As many outer weights as hidden units; a positive power."""
        if self.inner.ndim != 2 or self.outer.shape != self.inner.shape[1:] or self.power < 1:
            raise BadInput(
                needed="a PowerNet takes inner weights (d, h), outer weights (h,) and a power of at least 1",
                given=f"shapes {self.inner.shape} and {self.outer.shape}, power {self.power}",
                cure="Give one column of the inner weights a hidden unit.",
            )

    @property
    def degree(self) -> int:
        """One more than the power."""
        return self.power + 1

    def parameters(self):
        r"""$(w, a)$."""
        return self.inner, self.outer

    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The output for one input."""
        z = x @ self.inner
        return self.outer @ jnp.power(jax.nn.relu(z) if self.rectified else z, self.power)
