"""Regression on the outputs of a wide ReLU net, with its derivatives."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ..types import Array, Float, Key
from .base import AbstractLaw, Problem, Split, require_count


class ReluLaw(AbstractLaw):
    r"""$x\sim N(0, I_d)$, $y = B\,\mathrm{relu}(Ax)$, with $A^\top$ and $B^\top$ as a `ReluNet` keeps its layers."""

    inner: Float[Array, "d h"]
    outer: Float[Array, "h k"]

    def targets(self, x: Float[Array, "n d"]) -> Float[Array, "n k"]:
        """What the teacher says."""
        return jax.nn.relu(x @ self.inner) @ self.outer

    def slopes(self, x: Float[Array, "n d"]) -> Float[Array, "n k d"]:
        r"""$B\,\mathrm{diag}(1[Ax>0])A$ at each point."""
        return jnp.einsum("hk,nh,dh->nkd", self.outer, 1.0 * (x @ self.inner > 0), self.inner)

    def sample(self, key: Key, n: int) -> Split:
        """Fresh samples."""
        x = jr.normal(key, (n, self.inner.shape[0]))
        return Split(x, self.targets(x))


def relu_teacher(key: Key, *, n: int, d: int, units: int, outputs: int = 1, test: int = 1_000) -> Problem[Split]:
    r"""$n$ samples of a teacher with $A_{ij}\sim N(0, 1)$ and $B_{ij}\sim N(0, 1/h^2)$, $h$ its `units`.

    The truth is $B$; the law has both layers and the derivatives.    Source: beyond_l2, section 3.
    """
    for name, value in (("n", n), ("d", d), ("units", units), ("outputs", outputs)):
        require_count(name, value)
    require_count("test", test, least=0)
    one, two, three, four = (jr.fold_in(key, i) for i in range(4))
    law = ReluLaw(jr.normal(two, (d, units)), jr.normal(three, (units, outputs)) / units)
    return Problem(law.sample(one, n), law.sample(four, test) if test else None, law.outer, law)
