"""A ReLU net on pairs of symbols that have an embedding."""

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float


class EmbeddingNet(eqx.Module):
    r"""$f(a, b) = W_2^\top\mathrm{relu}(W_1^\top(E_a\odot E_b) + c_1) + c_2$: both symbols share one embedding $E$.

    The product does not know which symbol came first. Its biases are of another degree than what they are added to, so
    that it is not homogeneous; with both at zero it is, of degree 4.    Source: beyond_l2, section E.3.
    """

    embedding: Float[Array, "p e"]
    first: Float[Array, "e h"]
    bias: Float[Array, " h"]
    out: Float[Array, "h k"]
    offset: Float[Array, " k"]

    def __check_init__(self):
        """Layers fit one another."""
        shapes = [part.shape for part in (self.embedding, self.first, self.bias, self.out, self.offset)]
        one, two, bias, three, offset = shapes
        fits = [len(shape) for shape in shapes] == [2, 2, 1, 2, 1]
        if not (fits and one[1] == two[0] and two[1:] == bias == three[:1] and three[1:] == offset):
            raise BadInput(
                needed="an EmbeddingNet takes embedding (p, e), first (e, h), bias (h,), out (h, k) and offset (k,)",
                given=f"shapes {', '.join(map(str, shapes))}",
                cure="Use EmbeddingNet.at_zero(symbols=p, embedding=e, width=h), to be placed by inits.gaussian.",
            )

    @classmethod
    def at_zero(cls, *, symbols: int, embedding: int, width: int, classes: int | None = None) -> "EmbeddingNet":
        """All parameters at zero, to be placed by an init; as many classes as symbols by default."""
        classes = symbols if classes is None else classes
        sides = ((symbols, embedding), (embedding, width), (width,), (width, classes), (classes,))
        return cls(*(jnp.zeros(shape) for shape in sides))

    @property
    def scales(self) -> tuple[float, ...]:
        """Standard deviations that keep sizes: 1 for the embedding, fan-in to the power -1/2 for layers, no biases."""
        return 1.0, self.first.shape[0] ** -0.5, 0.0, self.out.shape[0] ** -0.5, 0.0

    def __call__(self, x: Float[Array, " 2"]) -> Float[Array, " k"]:
        """The outputs for one pair."""
        a, b = self.embedding[x.astype(int)]
        return jax.nn.relu((a * b) @ self.first + self.bias) @ self.out + self.offset
