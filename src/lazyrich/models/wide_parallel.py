"""The diagonal net with many parallel units a coordinate: the diagonal of a matrix factorization."""

import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, Scalar
from .base import AbstractLinearModel
from .diagonal import DiagonalNet


class WideParallel(AbstractLinearModel):
    r"""$f_\theta(x) = \sum_i x_i\sum_{j\le k} U_{ij}V_{ij} = \langle\operatorname{diag}(UV^\top),\, x\rangle$.

    Homogeneous of degree 2. From an initialization $N(0, \alpha^2)$ the map has the scale $\alpha^2\sqrt k$ while the lifted
    matrix $[U; V][U; V]^\top$, which decides between lazy and rich, has $\alpha^2 k$.
    Source: woodworth2020, section 6.
    """

    u: Float[Array, "d h"]
    v: Float[Array, "d h"]

    def __check_init__(self):
        """Both factors have one shape."""
        if self.u.ndim != 2 or self.u.shape != self.v.shape:
            raise BadInput(
                needed="a WideParallel takes u and v of one shape (d, width)",
                given=f"shapes {self.u.shape} and {self.v.shape}",
                cure="Place WideParallel.at_zero(dim=d, width=k) with inits.gaussian for the usual initialization.",
            )

    @classmethod
    def at_zero(cls, *, dim: int, width: int) -> "WideParallel":
        """Every weight at zero, to be placed by an init: as an initialization it is a saddle, where nothing moves."""
        return cls(u=jnp.zeros((dim, width)), v=jnp.zeros((dim, width)))

    @property
    def degree(self) -> int:
        """Two."""
        return 2

    @property
    def width(self) -> int:
        """The number of parallel units."""
        return self.u.shape[1]

    def parameters(self):
        r"""$(U, V)$."""
        return self.u, self.v

    def effective(self) -> Float[Array, " d"]:
        r"""The diagonal of $UV^\top$."""
        return jnp.sum(self.u * self.v, axis=1)

    def symmetric(self) -> DiagonalNet:
        r"""The net $a^2 - b^2$ of the same map, whatever the width: $a_i = \|U_i + V_i\|/2$, $b_i = \|U_i - V_i\|/2$ of rows.

        Flows from here end at the least shifted entropy $\sum_i c_i q(\beta_i/c_i) - \theta_i\beta_i$ with $c = ab$
        and $\theta = \log(a/b)$.
        """
        plus, minus = ((self.u + side * self.v) / 2 for side in (1, -1))
        return DiagonalNet(*(jnp.linalg.norm(part, axis=1) for part in (plus, minus)))

    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The output for one input."""
        return self.effective() @ x
