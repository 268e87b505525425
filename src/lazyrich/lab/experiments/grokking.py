"""A diagonal net on sparse labels: it fits at once by its kernel and finds the sparse rule late."""

import jax.numpy as jnp
import jax.random as jr

from ...inits import constant
from ...losses import MEAN, Logistic
from ...measures import accuracy
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Split, sparse_classification
from ...regularizers import L2
from ..experiment import Composed, Experiment
from ..params import Param
from ..settings.diagonal_classification import CURVES


def compose(key, *, alpha, decay, depth, n, d, sparsity) -> Composed:
    """Every weight of the net begins at alpha."""
    problem = sparse_classification(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=2_000)
    train, test = problem.train, problem.test
    assert isinstance(test, Split)
    start = constant(DiagonalNet.at_scale(1.0, dim=d, depth=depth), alpha, convention="per_coordinate")
    goal = Objective(train, Logistic(), factor=MEAN, penalties=[(L2(), decay)])
    horizon = (jnp.log(jnp.maximum(alpha, 1.0)) + 10.0) / decay
    when = jnp.concatenate([jnp.zeros(1), jnp.geomspace(1e-4, 1.0, 119) * horizon])
    read = {
        "train": lambda net: accuracy(net, train),
        "test": lambda net: accuracy(net, test),
    }
    return Composed(goal, start, CURVES, test, when, read, "accuracy")


EXPERIMENT = Experiment(
    name="grokking",
    title="Sparse labels that a diagonal net groks",
    says="Weight decay ends the kernel phase at log(alpha)/decay; then the sparse rule is found.",
    params=(
        Param("alpha", 4.0, low=1e-2, high=100.0, unit="every weight of the start"),
        Param("decay", 1e-2, low=1e-4, high=1e-1, unit="strength of L2"),
        Param("depth", 2, low=2, high=4, unit="layers", static=True),
        Param("n", 100, low=4, high=400, unit="samples", static=True),
        Param("d", 200, low=10, high=1_000, unit="inputs", static=True),
        Param("sparsity", 3, low=1, high=9, unit="inputs that decide the label", static=True),
    ),
    compose=compose,
)
