"""Two-layer nets with a power as activation, doubled: homogeneous of any degree, with zero output at initialization."""

import jax.numpy as jnp

from ...inits import gaussian
from ...models import Doubled, PowerNet


def begin(key, *, d: int, degree: int, width: int, rectified: int = 0) -> Doubled:
    """Gaussian weights with variance 1/fan-in; both halves equal, so that the output is zero."""
    shape = PowerNet(jnp.zeros((d, width)), jnp.zeros(width), degree - 1, bool(rectified))
    return Doubled.of(gaussian(key, shape, scale=(d**-0.5, width**-0.5)))
