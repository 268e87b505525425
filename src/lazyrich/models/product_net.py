"""The diagonal net with two different factors."""

import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, Scalar
from .base import AbstractLinearModel
from .diagonal import DiagonalNet


class ProductNet(AbstractLinearModel):
    r"""$f_\theta(x) = \langle u\odot v,\, x\rangle$ with $\theta = (u, v)$.

    Homogeneous of degree 2. Without weight decay $u_i^2 - v_i^2$ is conserved; where $|u_i| = |v_i|$ at initialization, no weight
    ever changes its sign.
    Source: woodworth2020, appendix C.
    """

    u: Float[Array, " d"]
    v: Float[Array, " d"]

    def __check_init__(self):
        """Both factors have one shape."""
        if self.u.ndim != 1 or self.u.shape != self.v.shape:
            raise BadInput(
                needed="a ProductNet takes u and v of one shape (d,)",
                given=f"shapes {self.u.shape} and {self.v.shape}",
                cure="Use ProductNet.at_scale(alpha, dim=d) for an initialization of output zero.",
            )

    @classmethod
    def at_scale(cls, alpha, *, dim: int) -> "ProductNet":
        r"""Every coordinate of $u$ at `alpha` and $v = 0$: output zero."""
        u = jnp.full(dim, alpha, dtype=jnp.zeros(()).dtype)
        return cls(u=u, v=jnp.zeros_like(u))

    @property
    def degree(self) -> int:
        """Two."""
        return 2

    def parameters(self):
        r"""$(u, v)$."""
        return self.u, self.v

    def effective(self) -> Float[Array, " d"]:
        r"""$u\odot v$."""
        return self.u * self.v

    def symmetric(self) -> DiagonalNet:
        r"""The net $a^2 - b^2$ of the same map: $a = |u + v|/2$, $b = |u - v|/2$."""
        return DiagonalNet(jnp.abs(self.u + self.v) / 2, jnp.abs(self.u - self.v) / 2)

    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The output for one input."""
        return self.effective() @ x
