"""Training and test curves of the experiments, and the logarithmically spaced times at which they are read."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ...measures import accuracy, relative_error
from ...problems import Problem
from ...problems.base import Data
from ...types import Array, Float

Reading = Callable[[Any], Any]
READINGS: dict[str, Callable[[Any, Any], Any]] = {"accuracy": accuracy, "error": relative_error}


def curves(measure: str, train: Any, test: Any) -> dict[str, Reading]:
    """The curves `train` and `test` of a measure, as functions of the model."""
    found = READINGS[measure]
    return {"train": lambda model: found(model, train), "test": lambda model: found(model, test)}


def times(first: Any, last: Any, count: int = 120) -> Float[Array, " t"]:
    """Zero and `count` - 1 logarithmically spaced times from the first to the last."""
    return jnp.concatenate([jnp.zeros(1), jnp.exp(jnp.linspace(jnp.log(first), jnp.log(last), count - 1))])


def steps(last: Any, count: int = 120) -> Float[Array, " t"]:
    """Zero and nearly logarithmically spaced, strictly increasing steps from 1 to the last."""
    even = jnp.round(jnp.exp(jnp.linspace(0.0, jnp.log(jnp.maximum(last, 1.0)), count - 1)))
    order = jnp.arange(1.0, count)
    return jnp.concatenate([jnp.zeros(1), order + jax.lax.cummax(jnp.maximum(even - order, 0.0))])


def held_out(problem: Problem[Data]) -> Data:
    """The data to test on, of a problem that has some."""
    return problem.held_out
