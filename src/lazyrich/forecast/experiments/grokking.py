"""A diagonal net on sparse labels: it fits at once by its kernel and finds the sparse rule late."""

import jax.numpy as jnp
import jax.random as jr

from ...losses import MEAN, Logistic
from ...objective import Objective
from ...problems import sparse_classification
from ...regularizers import L2
from ..experiment import Composed, Experiment
from ..params import Param
from ..settings.diagonal_classification import CURVES, begin
from .readings import curves, held_out, times


def compose(key, *, alpha, decay, depth, n, d, sparsity) -> Composed:
    """Every weight of the net begins at alpha."""
    problem = sparse_classification(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=2_000)
    return classification(problem, alpha=alpha, decay=decay, depth=depth, d=d)


def classification(problem, *, alpha, decay, depth, d) -> Composed:
    """The flow of the mean logistic loss with decay, from a diagonal net with every weight at alpha."""
    start = begin(d, alpha=alpha, convention="per_coordinate", depth=depth)
    goal = Objective(problem.train, Logistic(), factor=MEAN, penalties=[(L2(), decay)])
    horizon = (jnp.log(jnp.maximum(alpha, 1.0)) + 10.0) / decay
    test = held_out(problem)
    read = curves("accuracy", problem.train, test)
    return Composed(goal, start, CURVES, test, times(1e-4 * horizon, horizon), read, "accuracy")


NET = (
    Param("alpha", 4.0, low=1e-2, high=100.0, unit="every weight of the start"),
    Param("decay", 1e-2, low=1e-4, high=1e-1, unit="strength of L2"),
    Param("depth", 2, low=2, high=4, unit="layers", static=True),
)
EXPERIMENT = Experiment(
    name="grokking",
    title="Sparse labels that a diagonal net groks",
    says="Weight decay ends the kernel phase at log(alpha)/decay; then the sparse rule is found.",
    params=(
        *NET,
        Param("n", 100, low=4, high=400, unit="samples", static=True),
        Param("d", 200, low=10, high=1_000, unit="inputs", static=True),
        Param("sparsity", 3, low=1, high=9, unit="inputs that decide the label", static=True),
    ),
    compose=compose,
)
