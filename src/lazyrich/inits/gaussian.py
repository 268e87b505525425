"""Every parameter drawn from one normal law."""

from collections.abc import Sequence
from typing import Any, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..models import require_movable
from ..types import Key

Model = TypeVar("Model")


def gaussian(key: Key, model: Model, *, scale: Any | Sequence[Any]) -> Model:
    r"""Every parameter $\sim N(0, \sigma^2)$ independently, with $\sigma$ the `scale`, or one scale an array of the model.

    For a two-layer linear net of width $h$, $\sigma = h^{-a}$ makes the layers' Gram matrices of size $h^{1-2a}$: lazy
    below $a = 1/2$, rich above. Two scales with one product move the imbalance of the layers and leave the function.
    Source: min2021, section 4.
    """
    require_movable(model, "gaussian()")
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    parts, shape = jax.tree.flatten(arrays)
    scales = jnp.asarray(scale, float)
    if scales.ndim > 1 or scales.size not in (1, len(parts)):
        raise BadInput(
            needed=f"gaussian() takes one scale, or one for each of the model's {len(parts)} arrays",
            given=f"scales of shape {scales.shape}",
            cure="Give for example width**-0.5.",
        )
    scales = jnp.broadcast_to(scales, (len(parts),))
    drawn = [
        size * jr.normal(each, part.shape, part.dtype)
        for size, each, part in zip(scales, jr.split(key, len(parts)), parts, strict=True)
    ]
    return eqx.combine(jax.tree.unflatten(shape, drawn), rest)
