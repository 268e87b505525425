"""A diagonal net without penalty on sparse recovery: which interpolant does the flow choose?"""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Trajectory
from ...losses import SUM, Squared
from ...models import DiagonalNet
from ...models.base import AbstractLinearModel
from ...objective import Objective
from ...problems import Problem, sparse_recovery

ENDS = GradientFlow(rtol=1e-8, atol=1e-10)


def pose(key, n, d, sparsity, noise) -> Problem:
    """Gaussian inputs, a sparse truth, noise as a standard deviation."""
    return sparse_recovery(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, noise=noise, test=0)


def begin(d: int, *, alpha, depth: int = 2) -> DiagonalNet:
    """A net with every weight at alpha."""
    return DiagonalNet.at_scale(alpha, dim=d, depth=depth)


def interpolate(problem: Problem, start: AbstractLinearModel, *, until, miss, flow: GradientFlow = ENDS) -> Trajectory:
    """Follow the flow of the summed squared loss until it is `miss` times that of zero, or the time is up."""
    goal = Objective(problem.train, Squared(), factor=SUM)
    level = miss * jnp.sum(problem.train.y**2)
    times = jnp.array([0.0, 1.0]) * until
    read = {"effective": lambda net: net.effective(), "loss": lambda net: goal(net) / jnp.sum(problem.train.y**2)}
    return flow.run(goal, start, times, read=read, stop=lambda net: goal(net) < level)
