"""A transformer of one layer, on pairs of symbols written as a sequence."""

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float

# Beside the symbols themselves: the sign after a pair, from whose place the prediction is read.
SIGNS = 1


class Transformer(eqx.Module):
    r"""Reads $a\ b\ =$ and predicts from the last place: $f = U^\top(s + V_2^\top\mathrm{relu}(V_1^\top s))$.

    The three places hold $r_i = E_{t_i} + P_i$. Each head looks from the last one at all of them, with weights
    $w_i\propto\exp(\langle Q^\top r_3, K^\top r_i\rangle/\sqrt m)$, where $m$ is the width of a head, and
    $s = r_3 + O^\top\sum_iw_iV^\top r_i$ with the heads side by side. There are no normalization and no biases, for
    the last symbol is one. Not homogeneous: paths through it have different degrees, and larger $Q$ and $K$ look more sharply.
    Source: nanda2023.
    """

    embedding: Float[Array, "q e"]
    place: Float[Array, "3 e"]
    query: Float[Array, "e g"]
    key: Float[Array, "e g"]
    value: Float[Array, "e g"]
    mix: Float[Array, "g e"]
    first: Float[Array, "e h"]
    second: Float[Array, "h e"]
    out: Float[Array, "e k"]
    heads: int = eqx.field(static=True)

    def __check_init__(self):
        """Layers fit one another, and the heads share the width of attention evenly."""
        inner = (self.query, self.key, self.value, self.mix, self.first, self.second)
        shapes = [part.shape for part in (self.embedding, self.place, *inner, self.out)]
        fits = all(len(shape) == 2 for shape in shapes) and self.heads > 0
        if fits:
            (e, g), h = self.query.shape, self.first.shape[1]
            wanted = [(e,), (3, e), (e, g), (e, g), (e, g), (g, e), (e, h), (h, e), (e,)]
            fits = [shapes[0][1:], *shapes[1:-1], shapes[-1][:1]] == wanted and g > 0 and g % self.heads == 0
        if not fits:
            raise BadInput(
                needed="a Transformer takes embedding (p + 1, e), place (3, e), query, key and value (e, g), mix (g, e), "
                "first (e, h), second (h, e), out (e, k), and heads that divide g",
                given=f"shapes {', '.join(map(str, shapes))} and {self.heads} heads",
                cure="Use Transformer.at_zero(symbols=p, embedding=e, width=h, heads=4), to be placed by inits.gaussian.",
            )

    @classmethod
    def at_zero(cls, *, symbols: int, embedding: int, width: int, heads: int = 4, classes: int | None = None) -> "Transformer":
        """All parameters at zero, to be placed by an init; as many classes as symbols by default."""
        e, classes = embedding, symbols if classes is None else classes
        looks = ((e, e),) * 4
        sides = ((symbols + SIGNS, e), (3, e), *looks, (e, width), (width, e), (e, classes))
        return cls(*(jnp.zeros(shape) for shape in sides), heads=heads)

    @property
    def scales(self) -> tuple[float, ...]:
        """Standard deviations that keep sizes: that of the embedding's length one, fan-in to the power -1/2 for layers."""
        parts = (self.query, self.key, self.value, self.mix, self.first, self.second, self.out)
        table = self.embedding.shape[1] ** -0.5
        return table, table, *(part.shape[0] ** -0.5 for part in parts)

    def __call__(self, x: Float[Array, " 2"]) -> Float[Array, " k"]:
        """The outputs for one pair."""
        count = self.embedding.shape[0]
        codes = jax.nn.one_hot(x.astype(int), count, dtype=self.embedding.dtype)
        seen = jnp.concatenate([codes @ self.embedding, self.embedding[count - SIGNS :]]) + self.place
        last = self.attended(seen)
        return (last + jax.nn.relu(last @ self.first) @ self.second) @ self.out

    def attended(self, seen: Float[Array, "3 e"]) -> Float[Array, " e"]:
        """The last place, with what its heads saw added."""
        asked = self._apart(seen[-1:] @ self.query)[0]
        offered, given = self._apart(seen @ self.key), self._apart(seen @ self.value)
        scores = jnp.einsum("hm,ihm->hi", asked, offered) / jnp.sqrt(1.0 * asked.shape[-1])
        return seen[-1] + jnp.einsum("hi,ihm->hm", jax.nn.softmax(scores), given).reshape(-1) @ self.mix

    def _apart(self, many: Float[Array, "i g"]) -> Float[Array, "i heads m"]:
        return many.reshape(many.shape[0], self.heads, -1)
