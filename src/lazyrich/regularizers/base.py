"""What every regularizer promises."""

import abc

import equinox as eqx

from ..types import PyTree, Scalar


class AbstractRegularizer(eqx.Module):
    """A function of a model's parameters, handed over as a tree of arrays."""

    @abc.abstractmethod
    def value(self, parameters: PyTree) -> Scalar:
        """What these parameters cost."""
