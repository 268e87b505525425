"""Classification of Gaussian points pushed apart along a dense direction."""

import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..numerics.quadrature import mean_over_half_normal
from ..numerics.stable import scaled_to_one
from ..types import Array, Float, Key, Scalar
from .base import AbstractSignLaw, Problem, Split, require_count


class MarginLaw(AbstractSignLaw):
    r"""$x = z + (\gamma/2)\,y\,w^*$ with $z\sim N(0, I_d)$ and $y = \mathrm{sign}\langle z, w^*\rangle$.

    The direction $w^*$ has norm 1, the gap is $\gamma$.
    """

    truth: Float[Array, " d"]
    gap: Scalar

    def sample(self, key: Key, n: int) -> Split:
        """Fresh samples."""
        z = jr.normal(key, (n, self.truth.size))
        y = jnp.where(z @ self.truth >= 0, 1.0, -1.0)
        return Split(z + self.gap / 2 * y[:, None] * self.truth, y)

    def accuracy(self, effective: Float[Array, " d"]) -> Scalar:
        r"""$\mathbb E_{g\sim|N(0,1)|}\,\Phi\big(c\,(g+\gamma/2)/\sqrt{1-c^2}\big)$ with $c = \cos(w, w^*)$, exact.

        The sine is taken from the part of $w$ orthogonal to $w^*$, so it does not cancel as $c\to 1$.
        Source: lyu2024, figure 1b.
        """
        effective = scaled_to_one(effective)
        along = effective @ self.truth
        across = jnp.linalg.norm(effective - along * self.truth)
        aligned = across <= 1e-15 * jnp.abs(along)  # what rounding leaves of the truth itself
        graded = mean_over_half_normal(along / jnp.where(aligned, 1.0, across), self.gap / 2)
        return jnp.where(aligned, (jnp.sign(along) + 1) / 2, jnp.clip(graded, 0.0, 1.0))


def margin_classification(key: Key, *, n: int, d: int, gap: float = 25.0, test: int = 1000) -> Problem[Split]:
    """Two Gaussian half-spaces with a slab of width `gap` between them, the normal a random unit vector.

    Source: lyu2024, figure 1b.
    """
    require_count("n", n)
    require_count("d", d, least=2)
    require_count("test", test, least=0)
    if isinstance(gap, float | int) and gap < 0:
        raise BadInput(needed="margin_classification takes a gap >= 0", given=f"gap={gap}", cure="Use its absolute value.")
    direction = jr.normal(jr.fold_in(key, 2), (d,))
    truth = direction / jnp.linalg.norm(direction)
    law = MarginLaw(truth, jnp.asarray(gap, truth.dtype))
    held_out = law.sample(jr.fold_in(key, 1), test) if test else None
    return Problem(law.sample(jr.fold_in(key, 0), n), held_out, truth, law)
