"""A wide parallel net on sparse recovery: diagonal measurements of a matrix factorization of any width."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Trajectory
from ...inits import bartlett
from ...losses import SUM, Squared
from ...models import WideParallel
from ...objective import Objective
from ...problems import Split, sparse_recovery

ENDS = GradientFlow(rtol=1e-8, atol=1e-10)


class WideProblem(eqx.Module):
    """Data, and the net that starts on them: what theory says of a finite width depends on both."""

    train: Split
    start: WideParallel


def pose(key, n, d, sparsity, noise, width, mu) -> WideProblem:
    r"""Sparse recovery, and factors of $N(0, \alpha^2)$ entries with $\alpha^2k = 2\mu^2$, drawn at width $2d$ in law."""
    data = sparse_recovery(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, noise=noise, test=0).train
    assert isinstance(data, Split)
    scale = mu * jnp.sqrt(2 / width)
    drawn = bartlett(jr.fold_in(key, 1), dim=d, outputs=d, width=width, scale=scale)
    return WideProblem(data, WideParallel(u=drawn.u, v=drawn.v))


def interpolate(problem: WideProblem, *, until, miss, flow: GradientFlow = ENDS) -> Trajectory:
    """Follow the flow of the summed squared loss until it is `miss` times that of zero, or the time is up."""
    goal = Objective(problem.train, Squared(), factor=SUM)
    size = jnp.sum(problem.train.y**2)
    read = {"effective": lambda net: net.effective(), "loss": lambda net: goal(net) / size}
    return flow.run(
        goal, problem.start, jnp.array([0.0, 1.0]) * until, read=read, stop=lambda net: goal(net) < miss * size
    )
