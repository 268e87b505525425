"""How much two vectors point the same way."""

import jax.numpy as jnp

from ..types import Array, Float, Scalar


def cosine(a: Float[Array, " d"], b: Float[Array, " d"]) -> Scalar:
    r"""$\langle a, b\rangle/(\|a\|\|b\|)$; 0 when either is zero. Both are scaled first, so neither overflows."""
    a = a / jnp.maximum(jnp.max(jnp.abs(a)), jnp.finfo(a.dtype).tiny)
    b = b / jnp.maximum(jnp.max(jnp.abs(b)), jnp.finfo(b.dtype).tiny)
    size = jnp.linalg.norm(a) * jnp.linalg.norm(b)
    return jnp.where(size > 0, a @ b / jnp.where(size > 0, size, 1.0), 0.0)
