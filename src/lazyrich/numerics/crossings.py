"""Where a sampled function first meets a level."""

import jax.numpy as jnp

from ..types import Array, Float, Scalar


def first_crossing(x: Float[Array, " t"], y: Float[Array, " t"], level) -> Scalar:
    """The first x at which y reaches the level from below, linear between samples; infinity if it never does.

    A curve that starts at or above the level crosses at its first x, one that jumps from or to infinity where it
    arrives. A NaN before the crossing gives NaN:
    a broken curve has no times.
    """
    reached = y >= level
    where = jnp.argmax(reached)
    before = jnp.maximum(where - 1, 0)
    rise = y[where] - y[before]
    sloped = (rise > 0) & jnp.isfinite(rise)
    share = jnp.where(sloped, (level - y[before]) / jnp.where(sloped, rise, 1.0), 1.0)
    crossing = jnp.where(where == 0, x[0], x[before] + share * (x[where] - x[before]))
    first = jnp.where(reached.any(), crossing, jnp.inf)
    broken = jnp.isnan(y) & (jnp.arange(y.size) <= jnp.where(reached.any(), where, y.size))
    return jnp.where(broken.any(), jnp.nan, first)
