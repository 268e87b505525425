"""How well a model fits data it was or was not trained on."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ..models import outputs
from ..problems import AbstractLaw, Split
from ..types import Array, Float, Key, Scalar


def accuracy(model, data: Split) -> Scalar:
    """The share of labels -1 and +1 that the sign of the output gets right; an output of zero counts as a half."""
    agreement = jnp.sign(outputs(model, data.x)) * data.y
    return jnp.mean((agreement + 1) / 2)


def sampled_accuracy(
    key: Key, law: AbstractLaw, effective: Float[Array, "m d"], *, points: int, chunk: int
) -> Float[Array, " m"]:
    """The accuracy of several linear predictors on `points` fresh samples, drawn `chunk` at a time.

    All predictors meet the same samples, and no more than a chunk of them is ever in memory. The number of points is
    rounded up to whole chunks.
    """
    chunk = min(chunk, points)

    def score(part):
        split = law.sample(jr.fold_in(key, part), chunk)
        agreement = jnp.sign(split.x @ effective.T) * split.y[:, None]
        return jnp.mean((agreement + 1) / 2, axis=0)

    return jnp.mean(jax.lax.map(score, jnp.arange(-(-points // chunk))), axis=0)
