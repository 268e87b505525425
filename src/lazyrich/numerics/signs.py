"""Many fair signs from few random words."""

import math

import jax.numpy as jnp
import jax.random as jr

from ..types import Array, Float, Key


def random_signs(key: Key, shape: tuple[int, ...]) -> Float[Array, "..."]:
    """Independent fair -1 and +1, one bit of randomness each: thirty times cheaper than a uniform number each."""
    count = math.prod(shape)
    words = jr.bits(key, (-(-count // 32),), dtype=jnp.uint32)
    bits = (words[:, None] >> jnp.arange(32, dtype=jnp.uint32)) & 1
    return (2.0 * bits.reshape(-1)[:count] - 1.0).reshape(shape)
