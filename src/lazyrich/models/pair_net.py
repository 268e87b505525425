"""A two-layer ReLU net on pairs of symbols."""

import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float
from .base import AbstractModel


class PairNet(AbstractModel):
    r"""$f(a, b) = W\,\mathrm{relu}(A_a + B_b + c)$: a two-layer net on the one-hot code of a pair.

    $A$ and $B$ are the two halves of the first layer, one row a symbol; the pair is given as two numbers. Homogeneous
    of degree 2 in all parameters.    Source: lyu2024, section 2.
    """

    first: Float[Array, "p h"]
    second: Float[Array, "p h"]
    bias: Float[Array, " h"]
    out: Float[Array, "h k"]

    def __check_init__(self):
        """One width throughout."""
        h = self.bias.shape
        if self.first.shape != self.second.shape or self.first.shape[1:] != h or self.out.shape[:1] != h:
            shapes = ", ".join(str(part.shape) for part in (self.first, self.second, self.bias, self.out))
            raise BadInput(
                needed="a PairNet takes first and second of shape (p, h), bias (h,) and out (h, k)",
                given=f"shapes {shapes}",
                cure="Start with inits.he_pairs(key, symbols=p, width=h).",
            )

    @property
    def degree(self) -> int:
        """Two."""
        return 2

    def parameters(self):
        """Both halves of the first layer, its bias, and the second layer."""
        return self.first, self.second, self.bias, self.out

    def __call__(self, x: Float[Array, " 2"]) -> Float[Array, " k"]:
        """The outputs for one pair."""
        # Products with one-hot rows, not lookups: their derivatives are products too, where a lookup's is a scatter, four
        # times slower on an accelerator.
        p = self.first.shape[0]
        a, b = (jax.nn.one_hot(symbol, p, dtype=self.first.dtype) for symbol in x.astype(int))
        return jax.nn.relu(a @ self.first + b @ self.second + self.bias) @ self.out

    def one_hot(self, x: Float[Array, " 2"]) -> Float[Array, " q"]:
        """The code of a pair: two ones among 2p numbers, which the first layer (A; B) is applied to."""
        p = self.first.shape[0]
        return jnp.concatenate([jax.nn.one_hot(x[0].astype(int), p), jax.nn.one_hot(x[1].astype(int), p)])
