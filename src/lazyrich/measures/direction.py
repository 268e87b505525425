"""How much two vectors point the same way."""

import jax.numpy as jnp

from ..numerics.stable import scaled_to_one
from ..types import Array, Float, Scalar


def cosine(a: Float[Array, " d"], b: Float[Array, " d"]) -> Scalar:
    r"""$\langle a, b\rangle/(\|a\|\|b\|)$; 0 when either is zero. Both are scaled first, so neither overflows."""
    a, b = scaled_to_one(a), scaled_to_one(b)
    size = jnp.linalg.norm(a) * jnp.linalg.norm(b)
    return jnp.where(size == 0, 0.0, a @ b / jnp.where(size == 0, 1.0, size))
