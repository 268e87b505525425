"""Two-layer nets with a power as activation, doubled: homogeneous, of any degree, with output zero at the start."""

import jax.numpy as jnp

from ...inits import gaussian
from ...models import Doubled, PowerNet


def begin(key, *, d: int, degree: int, width: int, rectified: int = 0) -> Doubled:
    """Gaussian weights of variance one over the fan-in; both halves equal."""
    shape = PowerNet(jnp.zeros((d, width)), jnp.zeros(width), degree - 1, bool(rectified))
    return Doubled.of(gaussian(key, shape, scale=(d**-0.5, width**-0.5)))
