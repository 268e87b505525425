"""Symmetric matrices as a difference of two squares, in their factors and as the matrix alone."""

import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, Scalar
from .base import AbstractLinearModel, AbstractReadOnlyModel


class SymmetricNet(AbstractLinearModel):
    r"""$W = UU^\top - VV^\top$ with $\theta = (U, V)$, homogeneous of degree 2; $f_\theta(x) = Wx$.

    With both factors equal, $W = 0$: the scale of the initialization moves the regime and leaves the initial function alone.
    With as many columns as rows it reaches every symmetric matrix. Source: lyu2024, corollary 3.11.
    """

    u: Float[Array, "d r"]
    v: Float[Array, "d r"]

    def __check_init__(self):
        """Both factors have one shape."""
        if self.u.ndim != 2 or self.u.shape != self.v.shape or self.u.size == 0:
            raise BadInput(
                needed="a SymmetricNet takes U and V of one shape (d, r), d and r at least 1",
                given=f"shapes {self.u.shape} and {self.v.shape}",
                cure="Use SymmetricNet.at_scale(alpha, dim=d) for the usual initialization.",
            )

    @classmethod
    def at_scale(cls, alpha, *, dim: int) -> "SymmetricNet":
        r"""$U = V = \alpha I$."""
        init = alpha * jnp.eye(dim)
        return cls(u=init, v=init)

    @property
    def degree(self) -> int:
        """Two."""
        return 2

    def parameters(self):
        r"""$(U, V)$."""
        return self.u, self.v

    def effective(self) -> Float[Array, "d d"]:
        r"""$UU^\top - VV^\top$."""
        return _difference_of_squares(self.u, self.v)

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " d"]:
        """The output for one input."""
        return self.effective() @ x


class SymmetricMap(AbstractReadOnlyModel):
    r"""The same net with square factors and $U^\top V = \kappa I$, kept as $W$ and $\kappa\ge 0$, to be read and not trained.

    Then $UU^\top = (S + W)/2$ and $VV^\top = (S - W)/2$ with $S = \sqrt{W^2 + 4\kappa^2 I}$, which fixes both factors
    up to one rotation of their columns; its parameters are the symmetric ones. Exact reductions return it.
    """

    w: Float[Array, "d d"]
    kappa: Scalar

    @classmethod
    def at_scale(cls, alpha, *, dim: int) -> "SymmetricMap":
        r"""$U = V = \alpha I$."""
        return cls(jnp.zeros((dim, dim)), jnp.asarray(alpha, float) ** 2)

    @property
    def degree(self) -> int:
        """Two."""
        return 2

    @property
    def u(self) -> Float[Array, "d d"]:
        r"""$\sqrt{(S+W)/2}$."""
        return self.parameters()[0]

    @property
    def v(self) -> Float[Array, "d d"]:
        r"""$\sqrt{(S-W)/2}$."""
        return self.parameters()[1]

    def parameters(self):
        r"""$(U, V)$, both symmetric.

        Of $(s\pm w)/2$ the smaller is $\kappa^2$ over the larger, so that neither cancels.
        """
        values, basis = jnp.linalg.eigh(self.w)
        large = (jnp.hypot(values, 2 * self.kappa) + jnp.abs(values)) / 2
        small = self.kappa * jnp.where(large > 0, self.kappa / jnp.where(large > 0, large, 1.0), 0.0)
        first, second = jnp.where(values > 0, large, small), jnp.where(values > 0, small, large)
        return tuple((basis * jnp.sqrt(half)) @ basis.T for half in (first, second))

    def net(self) -> SymmetricNet:
        r"""The net at $(U, V)$."""
        return SymmetricNet(*self.parameters())

    def effective(self) -> Float[Array, "d d"]:
        """The matrix."""
        return self.w

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " d"]:
        """The output for one input."""
        return self.w @ x


@jax.custom_jvp
def _difference_of_squares(u: Float[Array, "d r"], v: Float[Array, "d r"]) -> Float[Array, "d d"]:
    r"""$UU^\top - VV^\top$ as the symmetric part of $(U-V)(U+V)^\top$: zero for equal factors, nothing cancels but $U-V$.

    Its derivative is that of the two squares: that of the product would lose the smaller factor.
    """
    half = (u - v) @ (u + v).T
    return (half + half.T) / 2


@_difference_of_squares.defjvp
def _difference_of_squares_jvp(at, along):
    (u, v), (du, dv) = at, along
    half = du @ u.T - dv @ v.T
    return _difference_of_squares(u, v), half + half.T
