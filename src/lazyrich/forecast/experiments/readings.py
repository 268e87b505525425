"""What experiments look at, and when: train and test curves, at moments that are even on a logarithmic axis."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ...measures import accuracy, relative_error
from ...problems import Entries, Problem, Split

Reading = Callable[[Any], Any]
READINGS: dict[str, Callable[[Any, Any], Any]] = {"accuracy": accuracy, "error": relative_error}


def curves(measure: str, train: Any, test: Any) -> dict[str, Reading]:
    """The curves `train` and `test` of a measure, as functions of the model."""
    found = READINGS[measure]
    return {"train": lambda model: found(model, train), "test": lambda model: found(model, test)}


def times(first: Any, last: Any, count: int = 120):
    """Zero and `count` - 1 times from the first to the last, evenly in the logarithm."""
    return jnp.concatenate([jnp.zeros(1), jnp.exp(jnp.linspace(jnp.log(first), jnp.log(last), count - 1))])


def steps(last: Any, count: int = 120):
    """Zero and step counts from 1 to the last, nearly even in the logarithm and each at least one more than the one before."""
    even = jnp.round(jnp.exp(jnp.linspace(0.0, jnp.log(jnp.maximum(last, 1.0)), count - 1)))
    order = jnp.arange(1.0, count)
    return jnp.concatenate([jnp.zeros(1), order + jax.lax.cummax(jnp.maximum(even - order, 0.0))])


def held_out(problem: Problem) -> Split | Entries:
    """The test of a problem that was posed with one."""
    assert problem.test is not None, "a test was asked for"
    return problem.test
