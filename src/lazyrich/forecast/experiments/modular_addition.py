"""A two-layer ReLU net with decay on a part of an addition table: memorized at once, understood late."""

import jax.numpy as jnp

from ...dynamics import Chebyshev, GradientFlow
from ..experiment import Composed, Experiment
from ..params import Param
from ..settings.modular_addition import FLOOR, begin, cost, pose
from .readings import curves, held_out, times

TOLERANCE = 0.1


def compose(key, *, alpha, decay, modulus, width, seen) -> Composed:
    """A He start times alpha."""
    problem = pose(key, modulus, seen)
    start = begin(key, modulus=modulus, width=width, alpha=alpha)
    horizon = (8.0 + jnp.log(jnp.maximum(alpha, 1.0))) / decay
    flow = GradientFlow(
        Chebyshev(refresh=100), TOLERANCE, TOLERANCE * FLOOR * modulus**-0.5, max_steps=200_000, reduce=None, land=False
    )
    test = held_out(problem)
    read = curves("accuracy", problem.train, test)
    return Composed(cost(problem, decay), start, flow, test, times(1e-4 * horizon, horizon), read, "accuracy")


EXPERIMENT = Experiment(
    name="modular_addition",
    title="Sums modulo a number, understood late",
    says="The net memorizes the sums it is shown; decay makes it find the rule of all of them.",
    params=(
        Param("alpha", 1.0, low=0.1, high=30.0, unit="times a He start"),
        Param("decay", 2e-4, low=1e-5, high=1e-1, unit="strength of L2"),
        Param("modulus", 23, low=3, high=31, unit="modulus", static=True),
        Param("width", 64, low=4, high=256, unit="hidden units", static=True),
        Param("seen", 0.9, low=0.1, high=0.95, unit="share of the sums", static=True),
    ),
    compose=compose,
)
