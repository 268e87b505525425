"""A diagonal net without penalty on sparse recovery: to which interpolant does gradient flow converge?"""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Trajectory
from ...losses import Squared
from ...models import DiagonalNet
from ...models.base import AbstractLinearModel
from ...objective import Objective
from ...problems import Problem, Split, sparse_recovery

ENDS = GradientFlow(rtol=1e-8, atol=1e-10)


def make_problem(key, n, d, sparsity, noise) -> Problem[Split]:
    """Gaussian inputs and a sparse ground truth; `noise` is a standard deviation."""
    return sparse_recovery(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, noise=noise, test=0)


def begin(d: int, *, alpha, depth: int = 2) -> DiagonalNet:
    r"""A net with all weights equal to $\alpha$."""
    return DiagonalNet.at_scale(alpha, dim=d, depth=depth)


def interpolate(
    problem: Problem[Split], init: AbstractLinearModel, *, until, relative_loss, flow: GradientFlow = ENDS
) -> Trajectory:
    """Gradient flow of the summed squared loss until it is `relative_loss` times that of zero, or until the horizon."""
    objective = Objective(problem.train, Squared(), reduction="sum")
    level = relative_loss * jnp.sum(problem.train.y**2)
    times = jnp.array([0.0, 1.0]) * until
    read = {"effective": lambda net: net.effective(), "loss": lambda net: objective(net) / jnp.sum(problem.train.y**2)}
    return flow.run(objective, init, times, read=read, stop=lambda net: objective(net) < level)
