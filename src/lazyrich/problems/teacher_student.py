"""Regression on the labels of a small net of ReLUs."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ..types import Array, Float, Key, Scalar
from .base import AbstractLaw, Problem, Split, require_count


class CircleLaw(AbstractLaw):
    r"""$x$ uniform on the unit circle, $y = \sum_j a_j\,\mathrm{relu}(\langle w_j, x\rangle)$."""

    inner: Float[Array, "2 h"]
    outer: Float[Array, " h"]

    def sample_at(self, angle: Scalar) -> tuple[Float[Array, " 2"], Scalar]:
        """The point of the circle at an angle, and its label."""
        x = jnp.stack([jnp.cos(angle), jnp.sin(angle)])
        return x, jax.nn.relu(x @ self.inner) @ self.outer

    def at(self, angles: Float[Array, " n"]) -> Split:
        """The samples at these angles."""
        return Split(*jax.vmap(self.sample_at)(angles))

    def sample(self, key: Key, n: int) -> Split:
        """Fresh samples."""
        return self.at(jr.uniform(key, (n,), maxval=2 * jnp.pi))


def circle_teacher(key: Key, *, n: int, units: int = 3, size=1.0, test: int = 256) -> Problem[Split]:
    r"""$n$ points drawn from the unit circle, labeled by `units` ReLUs with weights from $N(0, 1)$, times `size`.

    The test points divide the circle evenly: the mean over them is that over the circle, but for the kinks of a
    net, to $O(\text{test}^{-2})$. The truth are the weights of the outputs.    Source: woodworth2020, figure 6.
    """
    require_count("n", n)
    require_count("units", units)
    require_count("test", test, least=0)
    one, two, three = (jr.fold_in(key, i) for i in range(3))
    law = CircleLaw(jr.normal(two, (2, units)), size * jr.normal(three, (units,)))
    held_out = law.at(2 * jnp.pi * jnp.arange(test) / test) if test else None
    return Problem(law.sample(one, n), held_out, law.outer, law)
