"""The factorization of a matrix that is measured by inner products."""

import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, Scalar
from .base import AbstractModel


class Sensing(AbstractModel):
    r"""$f_\theta(X) = \langle UV^\top, X\rangle$ with $\theta = (U, V)$: an input is a matrix $X$.

    Homogeneous of degree 2. Turning the columns, $(U, V)\to(UQ, VQ)$, commutes with gradient flow, so an initialization of any
    width can be replaced by one of the same Gram matrix of rows, as `inits.bartlett` draws it.
    Source: woodworth2020, section 6.
    """

    u: Float[Array, "d h"]
    v: Float[Array, "k h"]

    def __check_init__(self):
        """Both factors have as many columns."""
        if self.u.ndim != 2 or self.v.ndim != 2 or self.u.shape[1] != self.v.shape[1]:
            raise BadInput(
                needed="a Sensing takes u of shape (d, h) and v of shape (k, h)",
                given=f"shapes {self.u.shape} and {self.v.shape}",
                cure="Give both factors the same number of columns.",
            )

    @property
    def degree(self) -> int:
        """Two."""
        return 2

    def parameters(self):
        r"""$(U, V)$."""
        return self.u, self.v

    def matrix(self) -> Float[Array, "d k"]:
        r"""$UV^\top$."""
        return self.u @ self.v.T

    def __call__(self, x: Float[Array, "d k"]) -> Scalar:
        """The inner product with one input."""
        return jnp.sum(self.u * (x @ self.v))
