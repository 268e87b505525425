"""A diagonal net without weight decay on sparse regression: the initialization scale selects the interpolant."""

from typing import Any

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...lab.params import Param
from ...losses import Squared
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import sparse_recovery
from ...types import Key
from ..experiment import Composed, Experiment
from .readings import curves, held_out, times

# The reduced flow is stiff once the data are fitted; test errors are needed to three digits.
FLOW = GradientFlow(dfx.Kvaerno5(), rtol=1e-6, atol=1e-8, land=False)
DATA = (
    Param("n", 40, low=4, high=200, unit="samples", static=True),
    Param("d", 100, low=10, high=1_000, unit="inputs", static=True),
    Param("sparsity", 4, low=1, high=20, unit="nonzero entries", static=True),
)


def compose(key: Key, *, alpha: Any, depth: int, n: int, d: int, sparsity: int) -> Composed:
    r"""All weights of the net are initialized at $\alpha$; a deep net with small weights stays long on a plateau."""
    problem = sparse_recovery(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=500)
    init = DiagonalNet.at_scale(alpha, dim=d, depth=depth)
    objective = Objective(problem.train, Squared(), reduction="mean")
    # The output moves at the rate of the tangent kernel, alpha^(2D-2), after a plateau of alpha^(2-D) if alpha is small.
    horizon = 100.0 * (1.0 + alpha ** (2.0 - 2.0 * depth) * jnp.minimum(alpha, 1.0) ** depth)
    test = held_out(problem)
    read = curves("error", problem.train, test)
    return Composed(objective, init, FLOW, test, times(1e-5 * horizon, horizon), read, "error")


EXPERIMENT = Experiment(
    name="sparse_regression",
    title="Sparse regression without weight decay",
    says="Without weight decay there is no late transition: a small initialization recovers the sparse ground truth, a large one "
    "converges to minimum norm.",
    params=(
        Param("alpha", 0.1, low=1e-3, high=10.0, unit="initial value of every weight"),
        Param("depth", 2, low=2, high=3, unit="layers", static=True),
        *DATA,
    ),
    compose=compose,
)
