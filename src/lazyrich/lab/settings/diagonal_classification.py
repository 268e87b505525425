"""A diagonal net with weight decay on sparse classification: the grokking experiment."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Trajectory
from ...inits import constant
from ...losses import MEAN, AbstractLoss
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Problem, sparse_classification
from ...regularizers import L2

# Late steps are limited by stability, not by accuracy: the third-order method needs two thirds of the evaluations of
# the fifth-order one, and the accuracy curve is within 1e-4 of the one followed at a tolerance of 1e-9.
CURVES = GradientFlow(solver=dfx.Bosh3(), rtol=1e-6, atol=1e-6, land=False)
# At scales up to e^128 the late flow is stiff in the logarithm of time.
LIMITS = GradientFlow(solver=dfx.Kvaerno5(), rtol=1e-6, atol=1e-6)


def pose(key, n, d, sparsity) -> Problem:
    """Points of the hypercube labeled by a majority; no test points are held: the law knows the accuracy."""
    return sparse_classification(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=0)


def begin(d: int, *, alpha, convention, depth: int = 2) -> DiagonalNet:
    """A net with every weight equal, so that its output is zero."""
    return constant(DiagonalNet.at_scale(1.0, dim=d, depth=depth), alpha, convention=convention)


def advance(problem: Problem, start, times, *, decay, loss: AbstractLoss, read, flow: GradientFlow) -> Trajectory:
    """Follow the flow of the mean loss with decay, and read the net at these times."""
    goal = Objective(problem.train, loss, factor=MEAN, penalties=[(L2(), decay)])
    return flow.run(goal, start, times, read=read)


def curve_times(horizon, count: int):
    """Zero, a third of the times evenly in the logarithm over the first hundredth, the rest evenly to the horizon."""
    early = count // 3
    knee = horizon / 100
    log_part = jnp.geomspace(knee * 1e-4, knee, early)
    return jnp.concatenate([jnp.zeros(1), log_part, jnp.linspace(knee, horizon, count - early)[1:]])
