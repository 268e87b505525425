"""One of several penalties."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from ..types import PyTree, Scalar
from .base import AbstractRegularizer


class OneOf(AbstractRegularizer):
    """The penalty at place `at` among several, chosen when it runs: one compiled program serves them all."""

    penalties: tuple[AbstractRegularizer, ...]
    at: Any

    def value(self, parameters: PyTree) -> Scalar:
        """That of the chosen one; its derivative is the subgradient."""
        return _cost(self, parameters)

    def subgradient(self, parameters: PyTree) -> PyTree:
        """That of the chosen one."""
        return self.chosen(lambda penalty: penalty.subgradient(parameters))

    def prox(self, parameters: PyTree, step: Scalar | float) -> PyTree:
        """That of the chosen one; all of them must have one."""
        return self.chosen(lambda penalty: penalty.prox(parameters, step))

    def chosen(self, ask: Callable[[AbstractRegularizer], Any]) -> Any:
        """What the chosen one gives."""
        return jax.lax.switch(self.at, [lambda penalty=penalty: ask(penalty) for penalty in self.penalties])


@eqx.filter_custom_jvp
def _cost(one: OneOf, parameters: PyTree) -> Scalar:
    return one.chosen(lambda penalty: penalty.value(parameters))


@_cost.def_jvp
def _cost_jvp(at, along):
    # Not through the chosen value: no singular values are found for the sake of a slope.
    pull = jax.tree.map(
        lambda part, way: jnp.zeros(()) if way is None else jnp.sum(part * way), at[0].subgradient(at[1]), along[1]
    )
    return _cost(*at), sum(jax.tree.leaves(pull), start=jnp.zeros(()))
