"""A diagonal net on labels of a sparse direction: it memorizes in the kernel regime and generalizes late."""

from typing import Any

import jax.numpy as jnp
import jax.random as jr

from ...lab.params import Param
from ...lab.simulations.diagonal_classification import CURVES, begin
from ...losses import Logistic
from ...objective import Objective
from ...problems import Problem, Split, sparse_classification
from ...regularizers import L2
from ...types import Key
from ..experiment import Composed, Experiment
from .readings import curves, held_out, times


def compose(key: Key, *, alpha: Any, weight_decay: Any, depth: int, n: int, d: int, sparsity: int) -> Composed:
    r"""All weights of the net are initialized at $\alpha$."""
    problem = sparse_classification(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=2_000)
    return classification(problem, alpha=alpha, weight_decay=weight_decay, depth=depth, d=d)


def classification(problem: Problem[Split], *, alpha: Any, weight_decay: Any, depth: int, d: int) -> Composed:
    r"""Gradient flow of the mean logistic loss with weight decay, from a diagonal net with all weights at $\alpha$."""
    init = begin(d, alpha=alpha, convention="per_coordinate", depth=depth)
    objective = Objective(problem.train, Logistic(), reduction="mean", penalties=[(L2(), weight_decay)])
    horizon = (jnp.log(jnp.maximum(alpha, 1.0)) + 10.0) / weight_decay
    test = held_out(problem)
    read = curves("accuracy", problem.train, test)
    return Composed(objective, init, CURVES, test, times(1e-4 * horizon, horizon), read, "accuracy")


NET = (
    Param("alpha", 4.0, low=1e-2, high=100.0, unit="initial value of every weight"),
    Param("weight_decay", 1e-2, low=1e-4, high=1e-1, unit="regularization strength"),
    Param("depth", 2, low=2, high=4, unit="layers", static=True),
)
EXPERIMENT = Experiment(
    name="grokking",
    title="A diagonal net groks sparse labels",
    says=r"The kernel regime ends at time $\log(\alpha)/\lambda$ with weight decay $\lambda$; then the net generalizes.",
    params=(
        *NET,
        Param("n", 100, low=4, high=400, unit="samples", static=True),
        Param("d", 200, low=10, high=1_000, unit="inputs", static=True),
        Param("sparsity", 3, low=1, high=9, unit="relevant inputs", static=True),
    ),
    compose=compose,
)
