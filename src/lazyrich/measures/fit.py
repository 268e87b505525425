"""How well a model fits data it was or was not trained on."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..models import outputs
from ..problems import AbstractLaw, Entries, Split
from ..types import Array, Float, Key, Scalar


def accuracy(model, data: Split | Entries) -> Scalar:
    """The fraction of labels that the outputs get right.

    Labels -1 and +1 by the sign of one output, where zero counts as a half; classes by the largest of several.
    """
    if isinstance(data, Entries):
        raise BadInput(needed="accuracy is of labels", given="Entries of a matrix", cure="Read the squared error instead.")
    found = outputs(model, data.x)
    if found.ndim == 2:
        right = jnp.argmax(found, axis=1) == data.y.astype(int)
        return jnp.mean(jnp.where(jnp.isnan(found).any(axis=1), jnp.nan, right))
    return jnp.mean((jnp.sign(found) * data.y + 1) / 2)


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
