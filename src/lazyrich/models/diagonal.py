"""Diagonal linear networks, in their own parameters and in logarithms."""

import equinox as eqx
import jax.numpy as jnp

from ..errors import BadInput
from ..numerics.stable import difference_of_powers, scaled_sinh
from ..types import Array, Float, Scalar
from .base import AbstractLinearModel, AbstractReadOnlyModel


class DiagonalNet(AbstractLinearModel):
    r"""$f_\theta(x) = \langle u^{\odot D} - v^{\odot D},\, x\rangle$ with $\theta = (u, v)$.

    Homogeneous of degree $D$. With both halves equal, $f = 0$: the scale of the initialization moves the regime
    (lazy when large, rich when small) and leaves the initial function alone.
    Source: woodworth2020, equation 10.
    """

    u: Float[Array, " d"]
    v: Float[Array, " d"]
    depth: int = eqx.field(static=True, default=2)

    def __check_init__(self):
        """Both halves have one shape; the depth is at least one."""
        if self.u.ndim != 1 or self.u.shape != self.v.shape or self.depth < 1:
            raise BadInput(
                needed="a DiagonalNet takes u and v of one shape (d,) and a depth of at least 1",
                given=f"shapes {self.u.shape} and {self.v.shape}, depth {self.depth}",
                cure="Use DiagonalNet.at_scale(alpha, dim=d, depth=2) for the usual initialization.",
            )

    @classmethod
    def at_scale(cls, alpha, *, dim: int, depth: int = 2) -> "DiagonalNet":
        r"""Every coordinate of $u$ and $v$ at `alpha`."""
        init = jnp.full(dim, alpha, dtype=jnp.zeros(()).dtype)
        return cls(u=init, v=init, depth=depth)

    @property
    def degree(self) -> int:
        """The depth."""
        return self.depth

    def parameters(self):
        r"""$(u, v)$."""
        return self.u, self.v

    def effective(self) -> Float[Array, " d"]:
        r"""$u^{\odot D} - v^{\odot D}$."""
        return difference_of_powers(self.u, self.v, self.depth)

    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The output for one input."""
        return self.effective() @ x


class LogDiagonalNet(AbstractReadOnlyModel):
    r"""The same net with $u = e^{m + h}$, $v = e^{m - h}$, kept as $m$ and $h$, to be read and not trained.

    $w = 2e^{Dm}\sinh(Dh)$ is exact to rounding at every scale, while $u^D - v^D$ loses all digits once
    $\alpha^D$ exceeds $10^{16}$ times $w$. Exact reductions return it. Its parameters are $(u, v)$ still.
    """

    middle: Float[Array, " d"]
    half: Float[Array, " d"]
    depth: int = eqx.field(static=True, default=2)

    @classmethod
    def at_scale(cls, alpha, *, dim: int, depth: int = 2) -> "LogDiagonalNet":
        r"""Every coordinate of $u$ and $v$ at `alpha`."""
        return cls(jnp.full(dim, jnp.log(alpha)), jnp.zeros(dim), depth)

    @property
    def degree(self) -> int:
        """The depth."""
        return self.depth

    @property
    def u(self) -> Float[Array, " d"]:
        r"""$e^{m+h}$."""
        return jnp.exp(self.middle + self.half)

    @property
    def v(self) -> Float[Array, " d"]:
        r"""$e^{m-h}$."""
        return jnp.exp(self.middle - self.half)

    def parameters(self):
        r"""$(u, v)$."""
        return self.u, self.v

    def net(self) -> DiagonalNet:
        r"""The net at $(u, v)$."""
        return DiagonalNet(self.u, self.v, self.depth)

    def effective(self) -> Float[Array, " d"]:
        r"""$2e^{Dm}\sinh(Dh)$."""
        return scaled_sinh(self.depth * self.half, self.depth * self.middle)

    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The output for one input."""
        return self.effective() @ x
