"""One of several penalties."""

from collections.abc import Callable
from typing import Any

import jax

from ..types import PyTree, Scalar
from .base import AbstractRegularizer


class OneOf(AbstractRegularizer):
    """The penalty at place `at` among several, chosen when it runs: one compiled program serves them all."""

    penalties: tuple[AbstractRegularizer, ...]
    at: Any

    def value(self, parameters: PyTree) -> Scalar:
        """That of the chosen one."""
        return self._chosen(lambda penalty: penalty.value(parameters))

    def subgradient(self, parameters: PyTree) -> PyTree:
        """That of the chosen one."""
        return self._chosen(lambda penalty: penalty.subgradient(parameters))

    def prox(self, parameters: PyTree, step: Scalar | float) -> PyTree:
        """That of the chosen one; all of them must have one."""
        return self._chosen(lambda penalty: penalty.prox(parameters, step))

    def _chosen(self, ask: Callable[[AbstractRegularizer], Any]) -> Any:
        return jax.lax.switch(self.at, [lambda penalty=penalty: ask(penalty) for penalty in self.penalties])
