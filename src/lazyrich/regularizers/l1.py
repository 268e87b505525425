"""The sum of sizes."""

import jax
import jax.numpy as jnp

from ..types import PyTree, Scalar
from .base import AbstractRegularizer


class L1(AbstractRegularizer):
    r"""$\|\theta\|_1$: pulls every parameter to zero with the same force, and holds it there.

    Source: beyond_l2, section 2.
    """

    def value(self, parameters: PyTree) -> Scalar:
        r"""$\sum|\theta_j|$ over all arrays."""
        # Not jnp.abs: its derivative in JAX is 1 at 0, that of sign(t) t is sign(0) = 0.
        return sum((jnp.sum(jnp.sign(part) * part) for part in jax.tree.leaves(parameters)), start=jnp.zeros(()))

    def subgradient(self, parameters: PyTree) -> PyTree:
        r"""$\operatorname{sign}\theta$, with $\operatorname{sign} 0 = 0$."""
        return jax.tree.map(jnp.sign, parameters)

    def prox(self, parameters: PyTree, step: Scalar | float) -> PyTree:
        r"""$\operatorname{sign}\theta\cdot\max(|\theta| - \text{step}, 0)$."""
        return jax.tree.map(lambda part: jnp.sign(part) * jnp.maximum(jnp.abs(part) - step, 0), parameters)
