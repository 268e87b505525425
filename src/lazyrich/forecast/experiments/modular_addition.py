"""A two-layer ReLU net with weight decay on a fraction of an addition table: memorized early, generalized late."""

from typing import Any

import jax.numpy as jnp

from ...dynamics import Chebyshev, GradientFlow
from ...lab.params import Param
from ...lab.simulations.modular_addition import FLOOR, begin, cost, make_problem
from ...types import Key
from ..experiment import Composed, Experiment
from .readings import curves, held_out, times

TOLERANCE = 0.1


def compose(key: Key, *, alpha: Any, weight_decay: Any, modulus: int, width: int, train_fraction: Any) -> Composed:
    r"""He initialization times $\alpha$."""
    problem = make_problem(key, modulus, train_fraction)
    init = begin(key, modulus=modulus, width=width, alpha=alpha)
    horizon = (8.0 + jnp.log(jnp.maximum(alpha, 1.0))) / weight_decay
    flow = GradientFlow(
        Chebyshev(refresh=100), TOLERANCE, TOLERANCE * FLOOR * modulus**-0.5, max_steps=200_000, reduce=None, land=False
    )
    test = held_out(problem)
    read = curves("accuracy", problem.train, test)
    return Composed(cost(problem, weight_decay), init, flow, test, times(1e-4 * horizon, horizon), read, "accuracy")


EXPERIMENT = Experiment(
    name="modular_addition",
    title="A ReLU net groks modular addition",
    says="The net memorizes its training sums; weight decay makes it generalize to all of them.",
    params=(
        Param("alpha", 1.0, low=0.1, high=30.0, unit="times the He initialization"),
        Param("weight_decay", 2e-4, low=1e-5, high=1e-1, unit="regularization strength"),
        Param("modulus", 23, low=3, high=31, unit="symbols", static=True),
        Param("width", 64, low=4, high=256, unit="hidden units", static=True),
        Param("train_fraction", 0.9, low=0.1, high=0.95, unit="fraction of the sums", static=True),
    ),
    compose=compose,
)
