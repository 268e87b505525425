"""A module of PyTorch as a model: its arrays, and the steps of its forward pass."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ...errors import BadInput
from ...types import Array, Float, Scalar


@dataclass(frozen=True)
class Step:
    """One step: what is computed of what, under a name for later steps, and in words for messages."""

    name: str
    said: str
    operation: Callable
    arguments: tuple
    settings: tuple[tuple[str, Any], ...] = ()
    last_axes: tuple[int, ...] = ()  # counted from the end; none of them may be the first, that of samples


@dataclass(frozen=True)
class Earlier:
    """What an earlier step gave, or the input; whether its first axis is that of samples."""

    name: str
    sampled: bool = True


@dataclass(frozen=True)
class Weight:
    """A parameter, by its dotted name."""

    name: str


@dataclass(frozen=True)
class Fixed:
    """An array that does not move: a buffer, a frozen parameter, a constant."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    @classmethod
    def of(cls, array: np.ndarray) -> "Fixed":
        """These numbers."""
        return cls(array.dtype.name, array.shape, array.tobytes())

    def array(self) -> np.ndarray:
        """The numbers again."""
        return np.frombuffer(self.data, self.dtype).reshape(self.shape)


@dataclass(frozen=True)
class Cut:
    """A slice, which Python 3.11 cannot compare by hash."""

    start: Any = None
    stop: Any = None
    step: Any = None


class TorchNet(eqx.Module):
    r"""$f_\theta(x)$ of a module of PyTorch: its parameters under their dotted names, its forward pass as steps.

    Called on one input, without the axis of samples that the module wants (`batched`); one output gives a number. It
    declares no degree; `measured_degrees` says what it has. Made by `from_torch`.
    """

    weights: dict[str, Float[Array, "..."]]
    steps: tuple[Step, ...] = eqx.field(static=True)
    end: Earlier = eqx.field(static=True)
    batched: bool = eqx.field(static=True, default=True)

    def __call__(self, x: Float[Array, "..."]) -> Scalar | Float[Array, "..."]:
        """The output for one input."""
        values = {"": x[None] if self.batched else x}
        for step in self.steps:
            arguments = [_met(part, values, self.weights) for part in step.arguments]
            settings = {name: _met(part, values, self.weights) for name, part in step.settings}
            try:
                _require_apart(step, arguments)
                values[step.name] = step.operation(*arguments, **settings)
            except (TypeError, ValueError, IndexError) as fault:
                raise BadInput(
                    needed=f"{step.said} takes what the steps before it give",
                    given=f"{', '.join(_shown(part) for part in arguments)}: {str(fault).splitlines()[0]}",
                    cure="Check the shape of one input, without an axis of samples; with batched=False the module wants none.",
                ) from fault
        return self._of_one(values[self.end.name])

    def _of_one(self, found):
        """The output without the axis of samples; a single number without any axis."""
        if self.batched and (found.ndim == 0 or found.shape[0] != 1):
            raise BadInput(
                needed="a module that takes samples along the first axis gives one output a sample",
                given=f"outputs of shape {found.shape} for one sample",
                cure="Keep the first axis in forward, or say batched=False if it is written for one input.",
            )
        found = found[0] if self.batched else found
        return found[0] if found.shape == (1,) else found


def _require_apart(step: Step, arguments: list) -> None:
    first = arguments[0][0] if isinstance(arguments[0], tuple) else arguments[0]
    if any(axis + jnp.ndim(first) == 0 for axis in step.last_axes):
        raise ValueError(f"axis {-jnp.ndim(first)} is that of samples, which it joins or moves (unless batched=False)")


def _met(part: Any, values: Mapping[str, Any], weights: Mapping[str, Any]) -> Any:
    """A part of the arguments with arrays in the place of their names."""
    match part:
        case Earlier(name=name):
            return values[name]
        case Weight(name=name):
            return weights[name]
        case Fixed():
            return jnp.asarray(part.array())
        case Cut():
            return slice(*(_met(each, values, weights) for each in (part.start, part.stop, part.step)))
        case tuple():
            return tuple(_met(each, values, weights) for each in part)
    return part


def _shown(part: Any) -> str:
    return f"shape {part.shape}" if hasattr(part, "shape") else repr(part)
