"""A diagonal net with weight decay on two classes: the experiment of grokking and of its opposite."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Trajectory
from ...inits import constant
from ...losses import MEAN, AbstractLoss, Logistic
from ...measures import accuracy
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Problem, margin_classification, sparse_classification
from ...problems.base import AbstractSignLaw
from ...regularizers import L2

# Late steps are limited by stability, not by accuracy: the third-order method needs two thirds of the evaluations of
# the fifth-order one, and the accuracy curve is within 1e-4 of the one followed at a tolerance of 1e-9.
CURVES = GradientFlow(solver=dfx.Bosh3(), rtol=1e-6, atol=1e-6, land=False)
# At scales up to e^128 the late flow is stiff in the logarithm of time.
LIMITS = GradientFlow(solver=dfx.Kvaerno5(), rtol=1e-6, atol=1e-6)


def pose(key, n, d, sparsity) -> Problem:
    """Points of the hypercube labeled by a majority; no test points are held: the law knows the accuracy."""
    return sparse_classification(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=0)


def pose_apart(key, n, d, gap) -> Problem:
    """Gaussian points pushed apart along a dense direction; no test points are held."""
    return margin_classification(jr.fold_in(key, 0), n=n, d=d, gap=gap, test=0)


def begin(d: int, *, alpha, convention, depth: int = 2) -> DiagonalNet:
    """A net with every weight equal, so that its output is zero."""
    return constant(DiagonalNet.at_scale(1.0, dim=d, depth=depth), alpha, convention=convention)


def advance(problem: Problem, start, times, *, decay, loss: AbstractLoss, read, flow: GradientFlow) -> Trajectory:
    """Follow the flow of the mean loss with decay, and read the net at these times."""
    goal = Objective(problem.train, loss, factor=MEAN, penalties=[(L2(), decay)])
    return flow.run(goal, start, times, read=read)


def accuracy_curves(problem: Problem, *, d: int, alpha, decay, horizon, moments: int) -> Trajectory:
    """Train and test accuracy and the linear map along the flow of the logistic loss, from weights of norm alpha."""
    law = problem.law
    assert isinstance(law, AbstractSignLaw), "an accuracy needs a law with labels"
    read = {
        "train": lambda net: accuracy(net, problem.train),
        "test": lambda net: law.accuracy(net.effective()),
        "effective": lambda net: net.effective(),
    }
    start, times = begin(d, alpha=alpha, convention="norm"), curve_times(horizon, moments)
    return advance(problem, start, times, decay=decay, loss=Logistic(), read=read, flow=CURVES)


def curve_times(horizon, count: int):
    """Zero, a third of the times evenly in the logarithm over the first hundredth, the rest evenly to the horizon."""
    early = count // 3
    knee = horizon / 100
    log_part = jnp.geomspace(knee * 1e-4, knee, early)
    return jnp.concatenate([jnp.zeros(1), log_part, jnp.linspace(knee, horizon, count - early)[1:]])
