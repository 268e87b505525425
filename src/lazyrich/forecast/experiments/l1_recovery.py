r"""Sparse recovery with a small $\ell_1$ penalty: fitted early, recovered after $\Theta(1/\eta\beta)$ steps."""

from typing import Any

import jax.numpy as jnp

from ...dynamics import ProximalDescent
from ...lab.params import Param
from ...lab.simulations.l1_descent import begin, make_problem
from ...losses import Squared
from ...objective import Objective
from ...problems import Split
from ...regularizers import L1
from ...types import Key
from ..experiment import Composed, Experiment
from .readings import curves, steps


def compose(key: Key, *, strength: Any, learning_rate: Any, init_scale: Any, n: int, d: int, sparsity: int) -> Composed:
    """Proximal gradient descent on a linear model; the test set are the entries of the ground truth themselves."""
    problem = make_problem(key, n=n, d=d, sparsity=sparsity, deviation=1.0, coherence=0.0)
    objective = Objective(problem.train, Squared(), reduction="half_sum", penalties=[(L1(), strength)])
    truth = Split(jnp.eye(d), problem.truth)
    when = steps(3.0 / (learning_rate * strength))
    read = curves("error", problem.train, truth)
    return Composed(objective, begin(key, d, init_scale), ProximalDescent(learning_rate), truth, when, read, "error")


EXPERIMENT = Experiment(
    name="l1_recovery",
    title="Sparse recovery groks",
    says=r"A small $\ell_1$ penalty of strength $\beta$ moves the interpolant to minimum $\ell_1$ norm in $\Theta(1/\eta\beta)$ "
    r"steps at learning rate $\eta$.",
    params=(
        Param("strength", 3e-4, low=1e-5, high=1e-1, unit="regularization strength"),
        Param("learning_rate", 0.2, low=1e-2, high=0.5, unit="step size"),
        Param("init_scale", 1e-3, low=0.0, high=10.0, unit="initial norm"),
        Param("n", 30, low=2, high=200, unit="measurements", static=True),
        Param("d", 60, low=4, high=500, unit="unknowns", static=True),
        Param("sparsity", 3, low=1, high=50, unit="nonzero entries", static=True),
    ),
    compose=compose,
)
