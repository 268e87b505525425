"""Few measurements of a sparse vector and a small l1 penalty: fitted at once, recovered one over rate times strength later."""

import jax.numpy as jnp

from ...dynamics import ProximalDescent
from ...losses import HALF_SUM, Squared
from ...objective import Objective
from ...problems import Split
from ...regularizers import L1
from ..experiment import Composed, Experiment
from ..params import Param
from ..settings.l1_descent import begin, pose
from .readings import curves, steps


def compose(key, *, strength, rate, start, n, d, sparsity) -> Composed:
    """Proximal descent on plain weights; the test are the entries of the truth themselves."""
    problem = pose(key, n=n, d=d, sparsity=sparsity, deviation=1.0, coherence=0.0)
    goal = Objective(problem.train, Squared(), factor=HALF_SUM, penalties=[(L1(), strength)])
    truth = Split(jnp.eye(d), problem.truth)
    when = steps(3.0 / (rate * strength))
    read = curves("error", problem.train, truth)
    return Composed(goal, begin(key, d, start), ProximalDescent(rate), truth, when, read, "error")


EXPERIMENT = Experiment(
    name="l1_recovery",
    title="Sparse recovery, late",
    says="A weak l1 penalty moves the fitted answer to the least l1 norm in a time of one over rate times strength.",
    params=(
        Param("strength", 3e-4, low=1e-5, high=1e-1, unit="of the l1 penalty"),
        Param("rate", 0.2, low=1e-2, high=0.5, unit="step"),
        Param("start", 1e-3, low=0.0, high=10.0, unit="size of the start"),
        Param("n", 30, low=2, high=200, unit="measurements", static=True),
        Param("d", 60, low=4, high=500, unit="unknowns", static=True),
        Param("sparsity", 3, low=1, high=50, unit="entries of the truth", static=True),
    ),
    compose=compose,
)
