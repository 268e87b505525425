"""A matrix of low rank completed by factors of any width and scale: what the flow does to the entries not seen."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import Chebyshev, GradientFlow, Trajectory
from ...inits import bartlett
from ...losses import SUM, Squared
from ...models import LinearNet
from ...objective import Objective
from ...problems import Problem, low_rank_product
from ..params import Param
from ..simulation import Simulation

# Small starts are stiff late: the fifth-order method takes 60,000 steps at alpha^2 k = 1e-4, this one 300. Its answers are
# within 1e-4 of those followed at a tolerance of 1e-7, relative to the matrix.
FLOW = GradientFlow(solver=Chebyshev(), rtol=1e-5, atol=1e-7, land=False)


def pose(key, d, cols, n) -> Problem:
    """The product of two Gaussian vectors, with n of its entries known."""
    return low_rank_product(jr.fold_in(key, 0), rows=d, cols=cols, rank=1, n=n)


def begin(key, *, d: int, cols: int, width, alpha) -> LinearNet:
    r"""Factors with independent $N(0, \alpha^2)$ entries, in law, at width $d$ + `cols`."""
    return bartlett(jr.fold_in(key, 1), dim=d, outputs=cols, width=width, scale=alpha)


def complete(problem: Problem, start: LinearNet, *, until, miss) -> Trajectory:
    """Follow the flow of the summed squared loss until it is `miss` times that of zero, or the time is up."""
    goal = Objective(problem.train, Squared(), factor=SUM)
    size = jnp.sum(problem.train.y**2)
    read = {"matrix": lambda net: net.effective(), "loss": lambda net: goal(net) / size}
    return FLOW.run(goal, start, jnp.array([0.0, 1.0]) * until, read=read, stop=lambda net: goal(net) < miss * size)


def simulate(key, problem, *, d, cols, width, alpha, until):
    """The end of the flow: its nuclear norm, its distance from the truth, how far entries not seen have moved."""
    start = begin(key, d=d, cols=cols, width=width, alpha=alpha)
    path = complete(problem, start, until=until, miss=1e-10)
    first, end, rest = start.effective(), path.reads["matrix"][-1], problem.test
    return {
        "end": jnp.ravel(end),
        "nuclear": _nuclear(end),
        "true_nuclear": _nuclear(problem.truth),
        "error": jnp.linalg.norm(end - problem.truth) / jnp.linalg.norm(problem.truth),
        "change": jnp.sqrt(jnp.mean((end - first)[rest.rows, rest.cols] ** 2)),
        "needed": jnp.sqrt(jnp.mean((problem.truth - first)[rest.rows, rest.cols] ** 2)),
        "sigma": jnp.linalg.norm(first) / jnp.sqrt(first.size),
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


def _nuclear(matrix):
    return jnp.sum(jnp.linalg.svd(matrix, compute_uv=False))


# Half decades of alpha and decades of the width: cells on one diagonal share alpha^2 k.
ALPHAS = tuple(10.0 ** (half / 2) for half in range(-6, 0))

WIDTH = Param("width", (10.0, 100.0, 1e3, 1e4, 1e5), smoke=(20.0, 1e4), low=1, high=1e14, unit="columns of a factor")
ALPHA = Param("alpha", ALPHAS, smoke=(0.01, 0.3), low=1e-9, high=100.0, unit="deviation of every weight at the start")
SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        ALPHA,
        WIDTH,
        Param("d", 10, low=2, high=100, unit="rows", static=True),
        Param("cols", 10, low=2, high=100, unit="columns", static=True),
        Param("n", 60, low=1, high=10_000, unit="entries known", static=True),
        Param("until", 1e8, low=1e-3, high=1e15, unit="time"),
    ],
    returns={
        "end": "d",
        **dict.fromkeys(
            ("nuclear", "true_nuclear", "error", "change", "needed", "sigma", "loss", "outcome", "steps"), ""
        ),
    },
)
