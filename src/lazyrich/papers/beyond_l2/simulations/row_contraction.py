r"""Descent in the rows of the measurements: what contracts, how fast, and what stays where it began."""

import jax.numpy as jnp

from ...dynamics import GradientDescent
from ...losses import HALF_SUM, Squared
from ...objective import Objective
from ...problems import Problem, Split
from ...problems.rows import first_rows
from ...regularizers import L1, L2
from ..params import Param
from ..simulation import Simulation
from .few_rows import pose
from .l1_descent import begin


def directions(data: Split, decay):
    r"""Eigenvalues and eigenvectors of $X^\top X+\lambda$, zeros made exact, and which are not zero."""
    values, vectors = jnp.linalg.eigh(data.x.T @ data.x)
    values = jnp.where(values > 1e-10 * values[-1], values, 0.0) + decay
    return values, vectors, values > 0


def contract(key, problem: Problem, *, n, start, share, decay):
    r"""Descent without l1 penalty at the rate `share`$\cdot2/(\sigma_\max+\lambda)$: along each direction, at three late counts.

    These are where the slowest direction has shrunk to 1e-8, 1e-11 and 1e-14 of its start.
    """
    few = first_rows(problem, n)
    data = few.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    values, vectors, moving = directions(data, decay)
    rate = share * 2 / values[-1]
    shrink = jnp.where(moving, jnp.abs(1 - rate * values), 0.0)
    radius = shrink.max()
    when = jnp.concatenate([jnp.zeros(1), jnp.ceil(jnp.log(jnp.array([1e-8, 1e-11, 1e-14])) / jnp.log(radius))])
    answer = vectors @ jnp.where(moving, (vectors.T @ (data.x.T @ data.y)) / jnp.where(moving, values, 1.0), 0.0)
    first = begin(key, data.d, start)
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L2(), decay)])
    read = {
        "w": lambda model: model.w,
        "slope": lambda model: jnp.linalg.norm(data.x.T @ (data.x @ model.w - data.y) + decay * model.w),
        "inside": lambda model: jnp.linalg.norm(jnp.where(moving, vectors.T @ (model.w - answer), 0.0)),
    }
    path = GradientDescent(rate).run(goal, first, when, read=read)
    end = path.reads["w"][-1]
    outside = vectors @ jnp.where(moving, 0.0, vectors.T @ first.w)
    return {
        "steps": when,
        "inside": path.reads["inside"],
        "slope": path.reads["slope"],
        "radius": radius,
        "end": end,
        "answer": answer,
        "outside": outside,
        "outcome": path.outcome.code,
    }


def bounded(key, problem: Problem, *, n, start, rate, strength):
    r"""Subgradient descent beside the bound in the rows: $\|V^\top(b-\hat b)\|\le2\alpha\beta\sqrt d/(1-\rho)$ from $t_1$ on.

    Also the printed radius, $\rho_\infty = \|I-\alpha X^\top X\|_{\infty\to\infty}$.
    """
    few = first_rows(problem, n)
    data = few.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    values, vectors, moving = directions(data, 0.0)
    radius = jnp.where(moving, jnp.abs(1 - rate * values), 0.0).max()
    sup = jnp.abs(jnp.eye(data.d) - rate * data.x.T @ data.x).sum(axis=1).max()
    inverse = jnp.where(moving, 1 / jnp.where(moving, values, 1.0), 0.0)
    answer = vectors @ (inverse * (vectors.T @ (data.x.T @ data.y)))
    first = begin(key, data.d, start)

    def inside(model):
        return jnp.linalg.norm(jnp.where(moving, vectors.T @ (model.w - answer), 0.0))

    level = rate * strength * jnp.sqrt(1.0 * data.d)
    told = jnp.ceil(-jnp.log(1 + (1 - radius) * inside(first) / level) / jnp.log(radius))
    when = jnp.concatenate([jnp.zeros(1), jnp.ceil(told * jnp.geomspace(0.03, 4.0, 60))])
    when = jnp.maximum(when, jnp.arange(when.size))
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength)])
    path = GradientDescent(rate).run(goal, first, when, read={"inside": inside})
    return {
        "steps": when,
        "inside": path.reads["inside"],
        "promised": 2 * level / (1 - radius),
        "told": told,
        "radius": radius,
        "sup": sup,
        "outcome": path.outcome.code,
    }


ROWS = (
    Param("n", (10, 30, 50, 70), smoke=(6, 12), low=1, high=1_000, unit="measurements"),
    Param("d", 100, smoke=20, low=4, high=1_000, unit="unknowns", static=True),
    Param("sparsity", 5, smoke=2, low=1, high=500, unit="entries of the truth", static=True),
)
CONTRACTED = Simulation(
    contract,
    pose=pose,
    params=[
        *ROWS,
        Param("start", 1.0, low=1e-6, high=1e3, unit="size of the start"),
        Param("share", (0.3, 0.9), (0.1, 0.3, 0.5, 0.9), low=1e-2, high=0.99, unit="rate over its stability bound"),
        Param("decay", (0.0, 0.1), (0.0, 0.01, 0.1), low=0.0, high=10.0, unit="of the l2 penalty"),
    ],
    returns={
        **dict.fromkeys(("steps", "inside", "slope"), "t"),
        **dict.fromkeys(("end", "answer", "outside"), "d"),
        **dict.fromkeys(("radius", "outcome"), ""),
    },
)
BOUNDED = Simulation(
    bounded,
    pose=pose,
    params=[
        *ROWS,
        Param("start", (1e-6, 1.0), smoke=(1e-6,), low=0.0, high=1e3, unit="size of the start"),
        Param("rate", (0.1, 0.4), smoke=(0.2,), low=1e-4, high=0.45, unit="step"),
        Param("strength", (1e-3, 1e-5), smoke=(1e-3,), low=1e-8, high=1.0, unit="of the l1 penalty"),
    ],
    returns={
        **dict.fromkeys(("steps", "inside"), "t"),
        **dict.fromkeys(("promised", "told", "radius", "sup", "outcome"), ""),
    },
)
