r"""A model linearized at its initialization, on given samples: rows whose inner products are the tangent kernel.

The rows are the gradients themselves while they fit in memory. Beyond, they are a square root of the kernel, which
knows directions only down to $10^{-8}$ of the largest: what is smaller there is taken for zero.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...errors import BadInput
from ...models import outputs, tangent
from ...numerics.values import require_double, require_finite
from ...problems import Entries, Split
from ..base import as_inputs
from .margin import VANISHED


@dataclass(frozen=True)
class TangentRows:
    """The samples, the initialization's outputs on them, and the gradients or a root of the kernel, one row an output."""

    model: Any
    x: jnp.ndarray
    y: np.ndarray
    memory: int

    @classmethod
    def of(cls, who: str, model: Any, data: Split | Entries, memory: int) -> "TangentRows":
        """The data and the model, checked."""
        require_double(who)
        if not isinstance(data, Split):
            raise BadInput(needed=f"{who} takes a Split of inputs", given=type(data).__name__, cure="Give the inputs themselves.")
        for name, value in (("x", data.x), ("y", data.y)):
            require_finite(f"{name} given to {who}", value)
        for leaf in jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array)):
            require_finite(f"the model given to {who}", leaf)
            if leaf.dtype != jnp.float64:
                raise BadInput(
                    needed=f"the model given to {who} must hold double-precision numbers",
                    given=f"an array of {leaf.dtype}",
                    cure="Make the model after double precision is switched on.",
                )
        found = cls(model, jnp.asarray(data.x, float), np.asarray(data.y, float), memory)
        _ = found.sizes  # a model that does not fit the inputs is refused here
        return found

    @cached_property
    def sizes(self) -> tangent.Sizes:
        """The sizes of the tangent on these inputs."""
        return tangent.Sizes.of(self.model, self.x)

    @cached_property
    def init(self) -> np.ndarray:
        """What the model says before it moves."""
        return np.asarray(outputs(self.model, self.x))

    @property
    def whole(self) -> bool:
        """Whether the gradients themselves are held."""
        return self.x.shape[0] * self.sizes.k * self.sizes.p * self.sizes.item <= self.memory

    @cached_property
    def rows(self) -> np.ndarray:
        """One row an output of a sample."""
        if self.whole:
            return np.asarray(tangent.features(self.model, self.x)).reshape(-1, self.sizes.p)
        size = self.x.shape[0] * self.sizes.k
        return kernel_root(np.asarray(tangent.kernel(self.model, self.x, memory=self.memory)).reshape(size, size))

    def direction(self, weights: np.ndarray) -> np.ndarray:
        r"""$\sum_i c_i\nabla f(x_i)$, as parameters."""
        shape = (self.x.shape[0], *self.sizes.outputs)
        return np.asarray(tangent.combined(self.model, self.x, jnp.asarray(weights.reshape(shape), float)))

    def moved(self, direction: np.ndarray) -> np.ndarray:
        """How the outputs on the samples change along a direction of parameters."""
        return np.asarray(tangent.along(self.model, self.x, jnp.asarray(direction)))

    def cancels(self, weights: np.ndarray) -> bool:
        """Whether the gradients so weighted vanish, to rounding of their lengths: what proves that there is no solution.

        Gradients that are held have been asked by whoever found the weights; a root of the kernel cannot be.
        """
        size = float(np.abs(weights).ravel() @ np.linalg.norm(self.rows, axis=1))
        return self.whole or bool(np.linalg.norm(self.direction(weights)) <= VANISHED * size)

    def function(self, direction: np.ndarray, *, from_init: bool) -> Callable[[Any], np.ndarray]:
        """The outputs at new inputs, to first order in the direction, with those of the initialization or without."""
        one = self.x.shape[1:]

        def predict(new):
            inputs = jnp.asarray(as_inputs(new, one))
            many = inputs if inputs.ndim > len(one) else inputs[None]
            values = tangent.along(self.model, many, jnp.asarray(direction))
            values = values + outputs(self.model, many) if from_init else values
            return np.asarray(values if inputs.ndim > len(one) else values[0])

        return predict


def kernel_root(kernel: np.ndarray) -> np.ndarray:
    r"""An $R$ with $RR^\top = K$, samples brought to length one first; eigenvalues within rounding of zero are dropped."""
    diagonal = kernel.diagonal()
    lengths = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, basis = np.linalg.eigh(kernel / lengths[:, None] / lengths)
    kept = values > max(values[-1], 0.0) * values.size * np.finfo(float).eps
    root = (basis[:, kept] * np.sqrt(values[kept])) * lengths[:, None]
    return root if kept.any() else np.zeros((values.size, 1))
