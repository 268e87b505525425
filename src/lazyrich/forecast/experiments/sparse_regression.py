"""A diagonal net without decay on sparse regression: the scale of its start chooses which interpolant it ends at."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...losses import MEAN, Squared
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import sparse_recovery
from ..experiment import Composed, Experiment
from ..params import Param
from .readings import curves, held_out, times

# The reduced flow is stiff once the data are fitted; test errors are read to three digits.
FLOW = GradientFlow(dfx.Kvaerno5(), rtol=1e-6, atol=1e-8, land=False)
DATA = (
    Param("n", 40, low=4, high=200, unit="samples", static=True),
    Param("d", 100, low=10, high=1_000, unit="inputs", static=True),
    Param("sparsity", 4, low=1, high=20, unit="entries of the truth", static=True),
)


def compose(key, *, alpha, depth, n, d, sparsity) -> Composed:
    """Every weight of the net begins at alpha; small weights of a deep net wait long before they move."""
    problem = sparse_recovery(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=500)
    start = DiagonalNet.at_scale(alpha, dim=d, depth=depth)
    goal = Objective(problem.train, Squared(), factor=MEAN)
    # The output moves at the rate of the tangent kernel, alpha^(2D-2); a small start waits alpha^(2-D) before.
    horizon = 100.0 * (1.0 + alpha ** (2.0 - 2.0 * depth) * jnp.minimum(alpha, 1.0) ** depth)
    test = held_out(problem)
    read = curves("error", problem.train, test)
    return Composed(goal, start, FLOW, test, times(1e-5 * horizon, horizon), read, "error")


EXPERIMENT = Experiment(
    name="sparse_regression",
    title="Sparse regression without decay",
    says="No decay, so nothing switches late: a small start finds the sparse truth, a large one the least norm.",
    params=(
        Param("alpha", 0.1, low=1e-3, high=10.0, unit="every weight of the start"),
        Param("depth", 2, low=2, high=3, unit="layers", static=True),
        *DATA,
    ),
    compose=compose,
)
