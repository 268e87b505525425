"""A diagonal net with weight decay on sparse classification: the grokking experiment."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Trajectory
from ...inits import constant
from ...losses import MEAN, AbstractLoss, Logistic
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Problem, sparse_classification
from ...regularizers import L2


def pose(key, n, d, sparsity) -> Problem:
    """Points of the hypercube labeled by a majority; no test points are held: the law knows the accuracy."""
    return sparse_classification(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=0)


def begin(d: int, *, alpha, convention, depth: int = 2) -> DiagonalNet:
    """A net with every weight equal, so that its output is zero."""
    return constant(DiagonalNet.at_scale(1.0, dim=d, depth=depth), alpha, convention=convention)


def advance(
    problem: Problem, start: DiagonalNet, times, *, decay, read, loss: AbstractLoss | None = None, flow=None
) -> Trajectory:
    """Follow the flow of the mean loss with decay, and read the net at these times."""
    goal = Objective(problem.train, loss or Logistic(), factor=MEAN, penalties=[(L2(), decay)])
    return (flow or GradientFlow()).run(goal, start, times, read=read)


def log_times(first, last, count: int):
    """Zero, and then times evenly spread in their logarithm."""
    return jnp.concatenate([jnp.zeros(1), jnp.geomspace(first, last, count - 1)])
