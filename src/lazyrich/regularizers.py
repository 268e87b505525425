"""What large parameters cost. The strength that multiplies it is kept outside."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp

from .types import PyTree, Scalar


class AbstractRegularizer(eqx.Module):
    """A function of a model's parameters, handed over as a tree of arrays."""

    @abc.abstractmethod
    def value(self, parameters: PyTree) -> Scalar:
        """What these parameters cost."""


class L2(AbstractRegularizer):
    r"""$\frac12\|\theta\|_2^2$: a strength of `decay` gives the force $-\text{decay}\cdot\theta$."""

    def value(self, parameters: PyTree) -> Scalar:
        r"""$\frac12\sum\theta_j^2$ over all arrays."""
        return sum((jnp.sum(part**2) for part in jax.tree.leaves(parameters)), start=jnp.zeros(())) / 2


ALL = (L2,)
