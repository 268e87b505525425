"""Two-layer linear networks, which are also asymmetric matrix factorizations."""

import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float
from .base import AbstractLinearModel


class LinearNet(AbstractLinearModel):
    r"""$f_\theta(x) = V U^\top x$ with $\theta = (U, V)$: one hidden layer of width $h$, $k$ outputs.

    Its linear map $UV^\top$ is a $d\times k$ matrix, so it also factorizes a matrix of which entries are known.
    Homogeneous of degree 2. Turning the hidden layer, $(U, V)\to(UQ, VQ)$ with $QQ^\top = I$, changes neither the map
    nor the Gram matrix of the rows of $U$ and $V$, and commutes with gradient flow.
    Source: min2021, equation 2.
    """

    u: Float[Array, "d h"]
    v: Float[Array, "k h"]

    def __check_init__(self):
        """Both layers have the same hidden units."""
        if self.u.ndim != 2 or self.v.ndim != 2 or self.u.shape[1] != self.v.shape[1]:
            raise BadInput(
                needed="a LinearNet takes u of shape (d, h) and v of shape (k, h)",
                given=f"shapes {self.u.shape} and {self.v.shape}",
                cure="Give one column a hidden unit in both; one output is v of shape (1, h).",
            )

    @classmethod
    def at_zero(cls, *, dim: int, outputs: int, width: int) -> "LinearNet":
        """Every weight at zero, to be placed by an init: as an initialization it is a saddle, where nothing moves."""
        return cls(u=jnp.zeros((dim, width)), v=jnp.zeros((outputs, width)))

    @property
    def degree(self) -> int:
        """Two."""
        return 2

    @property
    def width(self) -> int:
        """The number of hidden units."""
        return self.u.shape[1]

    def parameters(self):
        r"""$(U, V)$."""
        return self.u, self.v

    def effective(self) -> Float[Array, "d k"]:
        r"""$UV^\top$."""
        return self.u @ self.v.T

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " k"]:
        """The outputs for one input."""
        return self.v @ (self.u.T @ x)
