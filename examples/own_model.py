"""A model of your own through the two phases of lyu2024: kernel first, minimum norm last, a sharp transition between.

python examples/own_model.py
"""

# %% A net that the library does not know: three layers with a cube in the middle, homogeneous of degree five.
import sys

import jax

jax.config.update("jax_enable_x64", True)
import equinox as eqx
import jax.numpy as jnp
import jax.random as jr

import lazyrich as lz
from lazyrich.api.check import save


class CubeNet(eqx.Module):
    """f(x) = a . (B (W x)^3): any equinox module that gives a number for one input will do."""

    inner: jax.Array
    middle: jax.Array
    outer: jax.Array

    @classmethod
    def drawn(cls, key, d, h):
        """Gaussian weights of variance one over the fan-in."""
        keys = jr.split(key, 3)
        shapes = (h, d), (h, h), (h,)
        return cls(*(jr.normal(k, shape) * shape[-1] ** -0.5 for k, shape in zip(keys, shapes, strict=True)))

    def __call__(self, x):
        """The output for one input."""
        return self.outer @ (self.middle @ (self.inner @ x) ** 3)


# %% Two classes of Gaussian points, pushed apart along one direction.
d, n = 10, 6
labels = jnp.where(jnp.arange(n) % 2 == 0, 1.0, -1.0)
x = jr.normal(jr.key(0), (n, d)) + labels[:, None] * jnp.eye(d)[0]
data = lz.Split(x, labels)

# %% The theorems need zero output at initialization: two copies, one subtracted from the other.
net = CubeNet.drawn(jr.key(1), d, 8)
init = lz.models.Difference.of(net)
result = lz.check_model(init, data)
print(result.verdict, "-", result.reason)
for reading in result.holds:
    print(f"  {reading.value:9.3g}  {reading.name} ({reading.bound} {reading.target:g})")

# %% Without the second copy there is no verdict: the check reports what it measured instead.
bare = lz.check_model(net, data)
print(bare.verdict, "-", bare.reason)

# %% The picture, with its numbers beside it.
if len(sys.argv) > 1:
    print(*save(result, sys.argv[1]).files, sep="\n")
