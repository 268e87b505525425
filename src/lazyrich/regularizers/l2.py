"""Weight decay."""

import jax
import jax.numpy as jnp

from ..types import PyTree, Scalar
from .base import AbstractRegularizer


class L2(AbstractRegularizer):
    r"""$\frac12\|\theta\|_2^2$: a strength $\lambda$, the weight decay, gives the force $-\lambda\theta$."""

    def value(self, parameters: PyTree) -> Scalar:
        r"""$\frac12\sum\theta_j^2$ over all arrays."""
        return sum((jnp.sum(part**2) for part in jax.tree.leaves(parameters)), start=jnp.zeros(())) / 2

    def subgradient(self, parameters: PyTree) -> PyTree:
        r"""$\theta$."""
        return parameters

    def prox(self, parameters: PyTree, step: Scalar | float) -> PyTree:
        r"""$\theta/(1 + \text{step})$."""
        return jax.tree.map(lambda part: part / (1 + step), parameters)
