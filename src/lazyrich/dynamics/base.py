"""What every dynamics promises, and how readings are taken along it."""

import abc
from collections.abc import Callable, Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..errors import BadInput
from ..numerics.values import concrete, require_double
from ..objective import Objective
from .trajectory import Trajectory

Read = Mapping[str, Callable[[Any], Any]]
Stop = Callable[[Any], Any]


class AbstractDynamics(eqx.Module):
    """Turns an objective and an initialization into a trajectory."""

    @abc.abstractmethod
    def run(self, objective: Objective, init: Any, when: Any, read: Read | None = None, stop: Stop | None = None) -> Trajectory:
        """Follow the dynamics and read the model at the moments `when`, increasing from 0.

        `read` names functions of the model, evaluated inside the compiled program; without it whole models
        are kept. `stop` is a function of the model that ends the run when it says true.
        """


class AbstractSegmented(AbstractDynamics):
    """Dynamics that can be followed in segments, each from what the last one left."""

    @abc.abstractmethod
    def begin(self, objective: Objective, init: Any) -> Any:
        """What the first segment goes on from; its `over` says whether nothing moves any more."""

    @abc.abstractmethod
    def advance(
        self, objective: Objective, init: Any, carry: Any, when: Any, read: Read | None, stop: Stop | None
    ) -> tuple[Any, dict[str, Any]]:
        """Go on to each of these moments: what the next segment goes on from, and the readings."""

    @abc.abstractmethod
    def conclude(self, objective: Objective, init: Any, carry: Any, last: Any) -> tuple[Any, Any, dict[str, Any]]:
        """The last model, the outcome and the certificates."""


def moments(when: Any, who: str, *, whole: bool = False) -> Any:
    """The moments as an array, refused unless they increase from 0 (in whole numbers, if asked)."""
    require_double(who)
    array = jnp.asarray(when)
    if array.ndim != 1 or array.size < 2:
        raise BadInput(
            needed=f"{who} takes at least two moments, the first of them 0",
            given=f"shape {array.shape}",
            cure="Give for example jnp.linspace(0, 10, 101).",
        )
    numbers = concrete(array)
    if numbers is not None and not (numbers[0] == 0 and np.all(np.diff(numbers) > 0) and np.isfinite(numbers).all()):
        raise BadInput(
            needed=f"{who} takes moments that start at 0 and increase",
            given=f"{numbers[:3].tolist()} ... {numbers[-1]:g}",
            cure="Sort them, drop repeats, and put 0 first.",
        )
    if whole and numbers is not None and not np.equal(numbers, np.round(numbers)).all():
        raise BadInput(
            needed=f"{who} counts whole steps",
            given=f"{numbers[:4].tolist()} ...",
            cure="Divide times by the learning rate and round them.",
        )
    return array


def readings(read: Read | None, model: Any) -> dict[str, Any]:
    """What is recorded of one model: the named readings as floats, or the whole model under the name 'model'."""
    if read is None:
        return {"model": eqx.filter(model, eqx.is_array)}
    return {name: jax.tree.map(lambda value: jnp.asarray(value, float), function(model)) for name, function in read.items()}


def unpack(read: Read | None, records: dict[str, Any], end: Any) -> tuple[Any, dict[str, Any]]:
    """Split records into whole models (when nothing was named) and named readings."""
    if read is None:
        return eqx.combine(records["model"], eqx.filter(end, eqx.is_array, inverse=True)), {}
    return None, records
