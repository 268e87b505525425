r"""Every step of descent on $\frac12\|A_\Omega-y\|^2+\beta_*\|A\|_*$: how far objective and norm are above the truth's."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent
from ...models import Matrix
from ...problems import Entries, Problem, orthogonal_completion
from ...regularizers import Nuclear
from ..params import Param
from ..simulation import Simulation
from .nuclear_descent import goal_of


def pose(key, rows, cols, rank, n) -> Problem:
    """Some entries of a random matrix of low rank."""
    return orthogonal_completion(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank, n=n)


def descend(key, problem: Problem, *, share, strength, decay, steps, fading):
    r"""Gaps along the way from the matrix filled with zeros, with rates `share`$/(1+\lambda)$, fading like $1/(1+ct)$."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Entries), "completion knows entries"
    goal, aim = goal_of(problem, strength, decay), Matrix(truth)
    rate = share / (1 + decay)
    start = Matrix(jnp.zeros_like(truth).at[data.rows, data.cols].set(data.y))
    when = jnp.arange(steps + 1)
    read = {
        "gap": lambda model: goal(model) - goal(aim),
        "excess": lambda model: Nuclear().value(model.w) - Nuclear().value(truth),
        "slope": lambda model: jnp.linalg.norm(jax.grad(goal)(model).w),
    }
    path = GradientDescent(lambda count: rate / (1 + fading * count)).run(goal, start, when, read=read)
    taken = rate / (1 + fading * when[:-1])
    zero = jnp.zeros(1)
    return {
        **{f"subgradient_{name}": values for name, values in path.reads.items()},
        "total": jnp.concatenate([zero, jnp.cumsum(taken)]),
        "squares": jnp.concatenate([zero, jnp.cumsum(taken**2)]),
        "distance": jnp.sum((start.w - truth) ** 2),
        "length": jnp.sum(truth**2),
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    descend,
    pose=pose,
    params=[
        Param("share", 1.0, low=1e-3, high=2.0, unit="rate times the largest curvature"),
        Param("strength", (0.03, 0.003), (0.03, 0.003, 3e-4), smoke=(0.03,), low=1e-6, high=1.0, unit="of the penalty"),
        Param("decay", (0.0, 0.01), smoke=(0.0,), low=0.0, high=10.0, unit="of the l2 penalty"),
        Param("fading", (0.0, 0.1), smoke=(0.0,), low=0.0, high=100.0, unit="of the rate, for each step"),
        Param("steps", 1_000, 20_000, smoke=50, low=2, high=1_000_000, static=True),
        Param("rows", 7, 10, smoke=5, low=2, high=100, unit="rows", static=True),
        Param("cols", 6, 10, smoke=4, low=2, high=100, unit="columns", static=True),
        Param("rank", 1, 2, smoke=1, low=1, high=50, unit="rank of the truth", static=True),
        Param("n", 34, 70, smoke=14, low=1, high=10_000, unit="entries known", static=True),
    ],
    returns={
        **dict.fromkeys(("subgradient_gap", "subgradient_excess", "subgradient_slope", "total", "squares"), "t"),
        **dict.fromkeys(("distance", "length", "outcome"), ""),
    },
)
