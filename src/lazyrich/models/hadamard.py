"""Vectors as entrywise products of several factors."""

import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, Scalar
from .base import AbstractLinearModel


class HadamardNet(AbstractLinearModel):
    r"""$f_\theta(x) = \langle B_1\odot\cdots\odot B_L,\, x\rangle$ with $\theta = (B_1,\dots,B_L)$, the rows of `factors`.

    Homogeneous of degree $L$: a linear net of $L$ diagonal layers. Without weight decay the flow conserves $B_{ki}^2 - B_{li}^2$,
    so where all factors of an entry have one size at initialization, it never changes its sign. Weight decay $\lambda$ costs
    at least $\lambda\frac L2\sum_i|b_i|^{2/L}$: the ridge for one factor, the lasso for two. Source: beyond_l2, appendix C.11.
    """

    factors: Float[Array, "k d"]

    def __check_init__(self):
        """One row a factor, and at least one."""
        if self.factors.ndim != 2 or self.factors.shape[0] < 1:
            raise BadInput(
                needed="a HadamardNet takes factors of shape (depth, d) with a depth of at least 1",
                given=f"shape {self.factors.shape}",
                cure="Use HadamardNet.zero_first(alpha, dim=d, depth=2) for an initialization of output zero.",
            )

    @classmethod
    def at_zero(cls, *, dim: int, depth: int) -> "HadamardNet":
        """Every weight at zero, to be placed by an init: as an initialization of two factors or more it is a saddle."""
        return cls(jnp.zeros((depth, dim)))

    @classmethod
    def zero_first(cls, alpha, *, dim: int, depth: int) -> "HadamardNet":
        r"""$B_1 = 0$ and every other weight at `alpha`: output zero, and every entry may take either sign."""
        return cls(jnp.where(jnp.arange(depth)[:, None] > 0, alpha, jnp.zeros((depth, dim))))

    @property
    def degree(self) -> int:
        """The number of factors."""
        return self.factors.shape[0]

    def parameters(self):
        """The factors."""
        return self.factors

    def effective(self) -> Float[Array, " d"]:
        r"""$B_1\odot\cdots\odot B_L$."""
        whole = self.factors[0]
        for factor in self.factors[1:]:
            whole = whole * factor
        return whole

    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The output for one input."""
        return self.effective() @ x
