"""A diagonal net of any depth with decay on sparse regression: least norm first, a sparse answer late."""

from typing import Any

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...losses import MEAN, Squared
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Problem, sparse_recovery
from ...regularizers import L2
from ..experiment import Composed, Experiment
from ..params import Param
from .readings import curves, held_out, times
from .sparse_regression import DATA

# Late in the flow of a net of depth 4, errors of the reduced state reach the weights multiplied by a thousand and more.
FLOW = GradientFlow(dfx.Kvaerno5(), rtol=1e-8, atol=1e-9, land=False)


def compose(key, *, alpha, decay, depth, n, d, sparsity) -> Composed:
    """Every weight of the net begins at alpha."""
    problem = sparse_recovery(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=500)
    return with_decay(
        problem, DiagonalNet.at_scale(alpha, dim=d, depth=depth), FLOW, alpha=alpha, decay=decay, after=4.0
    )


def with_decay(problem: Problem, start: Any, flow: GradientFlow, *, alpha, decay, after: float) -> Composed:
    """The flow of the mean squared loss with decay, to `after` over decay past log(alpha)/decay."""
    goal = Objective(problem.train, Squared(), factor=MEAN, penalties=[(L2(), decay)])
    horizon, test = (jnp.log(jnp.maximum(alpha, 1.0)) + after) / decay, held_out(problem)
    return Composed(
        goal, start, flow, test, times(1e-6 * horizon, horizon), curves("error", problem.train, test), "error"
    )


EXPERIMENT = Experiment(
    name="deep_regression",
    title="Regression that turns sparse late",
    says="Decay ends the least-norm phase at log(alpha)/decay; deeper nets turn more sharply to a sparser answer.",
    params=(
        Param("alpha", 4.0, low=0.1, high=30.0, unit="every weight of the start"),
        Param("decay", 1e-3, low=1e-5, high=1e-1, unit="strength of L2"),
        Param("depth", 3, low=2, high=4, unit="layers", static=True),
        *DATA,
    ),
    compose=compose,
)
