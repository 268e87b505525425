"""A diagonal net of any depth with weight decay on sparse regression: minimum norm first, a sparse predictor late."""

from typing import Any

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...lab.params import Param
from ...losses import Squared
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Problem, sparse_recovery
from ...regularizers import L2
from ...types import Key
from ..experiment import Composed, Experiment
from .readings import curves, held_out, times
from .sparse_regression import DATA

# Late in the flow of a net of depth 4, errors of the reduced state are amplified in the weights by a thousand and more.
FLOW = GradientFlow(dfx.Kvaerno5(), rtol=1e-8, atol=1e-9, land=False)


def compose(key: Key, *, alpha: Any, weight_decay: Any, depth: int, n: int, d: int, sparsity: int) -> Composed:
    r"""All weights of the net are initialized at $\alpha$."""
    problem = sparse_recovery(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=500)
    return with_decay(
        problem, DiagonalNet.at_scale(alpha, dim=d, depth=depth), FLOW, alpha=alpha, weight_decay=weight_decay, after=4.0
    )


def with_decay(problem: Problem, init: Any, flow: GradientFlow, *, alpha: Any, weight_decay: Any, after: float) -> Composed:
    r"""Gradient flow of the mean squared loss with weight decay $\lambda$, up to time $(\log\alpha + \mathrm{after})/\lambda$."""
    objective = Objective(problem.train, Squared(), reduction="mean", penalties=[(L2(), weight_decay)])
    horizon, test = (jnp.log(jnp.maximum(alpha, 1.0)) + after) / weight_decay, held_out(problem)
    return Composed(objective, init, flow, test, times(1e-6 * horizon, horizon), curves("error", problem.train, test), "error")


EXPERIMENT = Experiment(
    name="deep_regression",
    title="Sparse regression that groks",
    says=r"Weight decay $\lambda$ ends the kernel regime at time $\log(\alpha)/\lambda$; deeper nets have a sharper transition, "
    "to a sparser predictor.",
    params=(
        Param("alpha", 4.0, low=0.1, high=30.0, unit="initial value of every weight"),
        Param("weight_decay", 1e-3, low=1e-5, high=1e-1, unit="regularization strength"),
        Param("depth", 3, low=2, high=4, unit="layers", static=True),
        *DATA,
    ),
    compose=compose,
)
