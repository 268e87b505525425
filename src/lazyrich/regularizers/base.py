"""What every regularizer promises."""

import abc

import equinox as eqx

from ..types import PyTree, Scalar


class AbstractRegularizer(eqx.Module):
    """A function of a model's parameters, a tree of arrays, that is added to the loss; those in `ALL` are convex."""

    @abc.abstractmethod
    def value(self, parameters: PyTree) -> Scalar:
        """Its value at these parameters."""

    @abc.abstractmethod
    def subgradient(self, parameters: PyTree) -> PyTree:
        r"""An $h$ with $R(q)\ge R(p) + \langle h, q - p\rangle$ for all $q$: the gradient where there is one, 0 at 0.

        What `jax.grad` makes of `value` is the same, so every dynamics sees this choice.
        """

    @abc.abstractmethod
    def prox(self, parameters: PyTree, step: Scalar | float) -> PyTree:
        r"""$\arg\min_q\ \text{step}\cdot R(q) + \frac12\|q - p\|_2^2$. A strength multiplies the step."""
