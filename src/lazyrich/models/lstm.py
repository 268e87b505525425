"""A recurrent net with a long memory, on pairs of symbols written as a sequence."""

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float

# Beside the symbols themselves: the sign between a pair, and the one after it.
SIGNS = 2


class LSTM(eqx.Module):
    r"""Reads $a\ \circ\ b\ =$, one symbol at a time, and predicts from its last state: $f = W^\top h_4 + c$.

    At each symbol, with $s$ the logistic function, $(i, f, g, o) = U^\top E_t + V^\top h + d$ gives the memory
    $m\leftarrow s(f)\,m + s(i)\tanh g$ and the state $h\leftarrow s(o)\tanh m$, both zero at first. Not homogeneous.
    Source: beyond_l2, section E.3.
    """

    embedding: Float[Array, "q e"]
    inner: Float[Array, "e g"]
    back: Float[Array, "h g"]
    bias: Float[Array, " g"]
    out: Float[Array, "h k"]
    offset: Float[Array, " k"]

    def __check_init__(self):
        """Four gates for each unit of the state, and layers that fit one another."""
        parts = (self.embedding, self.inner, self.back, self.bias, self.out, self.offset)
        shapes = [part.shape for part in parts]
        one, inner, back, bias, out, offset = shapes
        fits = [len(shape) for shape in shapes] == [2, 2, 2, 1, 2, 1] and back[1] == 4 * back[0]
        if not (fits and one[1] == inner[0] and inner[1:] == back[1:] == bias and out == (back[0], *offset)):
            raise BadInput(
                needed="an LSTM takes embedding (p + 2, e), inner (e, 4h), back (h, 4h), bias (4h,), out (h, k), offset (k,)",
                given=f"shapes {', '.join(map(str, shapes))}",
                cure="Use LSTM.at_zero(symbols=p, embedding=e, width=h), to be placed by inits.gaussian.",
            )

    @classmethod
    def at_zero(cls, *, symbols: int, embedding: int, width: int, classes: int | None = None) -> "LSTM":
        """All parameters at zero, to be placed by an init; as many classes as symbols by default."""
        classes = symbols if classes is None else classes
        gates = 4 * width
        sides = ((symbols + SIGNS, embedding), (embedding, gates), (width, gates), (gates,), (width, classes), (classes,))
        return cls(*(jnp.zeros(shape) for shape in sides))

    @property
    def scales(self) -> tuple[float, ...]:
        """Standard deviations that keep sizes: 1 for the embedding, fan-in to the power -1/2 for layers, no biases."""
        wide, deep = (part.shape[0] ** -0.5 for part in (self.inner, self.back))
        return 1.0, wide, deep, 0.0, deep, 0.0

    def __call__(self, x: Float[Array, " 2"]) -> Float[Array, " k"]:
        """The outputs for one pair; what the net makes of a symbol alone it makes once for many pairs."""
        a, b = x.astype(int)
        fed = self.embedding @ self.inner + self.bias
        sign = fed.shape[0] - SIGNS
        state, memory = _cell(fed[:sign], jnp.zeros((sign, self.back.shape[0]), fed.dtype))
        state, memory = _cell(fed[sign] + state @ self.back, memory)
        state, memory = _cell((state @ self.back)[a] + fed[b], memory[a])
        state, _ = _cell(state @ self.back + fed[-1], memory)
        return state @ self.out + self.offset


def _cell(gates, memory):
    """The state and the memory after one more symbol."""
    take, keep, new, show = jnp.split(gates, 4, axis=-1)
    memory = jax.nn.sigmoid(keep) * memory + jax.nn.sigmoid(take) * jnp.tanh(new)
    return jax.nn.sigmoid(show) * jnp.tanh(memory), memory
