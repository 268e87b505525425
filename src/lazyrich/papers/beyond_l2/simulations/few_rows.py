"""Sparse recovery from the first rows of a square matrix: no number of rows, and no share of plain ones, compiles anew."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...numerics.crossings import first_crossing
from ...problems import Problem, Split, compressed_sensing
from ...problems.rows import first_rows, require_rows
from ..params import Param
from ..simulation import Simulation
from .l1_descent import follow

_first_rows = jax.jit(first_rows)


def pose(key, d, sparsity) -> Problem:
    """As many rows as unknowns, of which runs take the first."""
    return compressed_sensing(jr.fold_in(key, 0), n=d, d=d, sparsity=sparsity)


def trimmed(problem: Problem, n: int, coherence: float) -> Problem:
    """The same few measurements without the rows of zeros, for solvers on the host."""
    assert isinstance(problem.train, Split), "sparse recovery measures vectors"
    require_rows(problem.train.n, n, coherence)
    few = _first_rows(problem, n, coherence)
    assert isinstance(few.train, Split)
    x, y = (jnp.asarray(np.asarray(part)[:n]) for part in (few.train.x, few.train.y))
    return Problem(Split(x, y), None, few.truth, None)


def least_squares(key, problem: Problem, *, n, coherence):
    """How far the smallest solution is from the truth, relative, and the share of the truth's entries that a row reads alone."""
    few = first_rows(problem, n, coherence)
    assert isinstance(few.train, Split), "sparse recovery measures vectors"
    x, y, truth = few.train.x, few.train.y, few.truth
    gram = x @ x.T + jnp.diag(jnp.where(jnp.arange(y.size) < n, 0.0, 1.0))
    found = x.T @ jnp.linalg.solve(gram, y)
    plain = jnp.arange(truth.size) < jnp.floor(coherence * n + 1e-9)
    return {
        "least_squares": jnp.linalg.norm(found - truth) / jnp.linalg.norm(truth),
        "seen": jnp.sum(plain & (truth != 0)) / jnp.sum(truth != 0),
    }


def descend(key, problem: Problem, *, n, coherence, start, rate, strength, reach, level, moments):
    r"""Subgradient descent with a small l1 penalty until the truth is found: curves, and the slow times of fit and recovery."""
    path, when = follow(
        key,
        first_rows(problem, n, coherence),
        "subgradient",
        start=start,
        rate=rate,
        strength=strength,
        steps=reach / (rate * strength),
        moments=moments,
        until=level / 2,
    )
    train, recovery = path.reads["train"], path.reads["recovery"]
    return {
        "steps": when,
        "train": train,
        "recovery": recovery,
        "l1": path.reads["l1"],
        "fits": first_crossing(when, -train, -level),
        "finds": first_crossing(when, -recovery, -level),
        "outcome": path.outcome.code,
    }


SIZES = (
    Param("d", 100, smoke=20, low=4, high=1_000, unit="unknowns", static=True),
    Param("sparsity", 5, smoke=1, low=1, high=500, unit="entries of the truth", static=True),
)
BASELINE = Simulation(
    least_squares,
    pose=pose,
    params=[
        Param(
            "n",
            tuple(range(6, 100, 6)),
            tuple(range(4, 101, 4)),
            smoke=(4, 12, 18),
            low=1,
            high=1_000,
            unit="measurements",
        ),
        Param("d", 100, smoke=20, low=4, high=1_000, unit="unknowns", static=True),
        Param(
            "sparsity",
            (2, 6, 16),
            (1, 2, 5, 10, 20, 30, 40),
            smoke=(1, 2),
            low=1,
            high=500,
            unit="entries of the truth",
            static=True,
        ),
        Param(
            "coherence",
            (0.0, 0.5, 0.9, 1.0),
            (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0),
            smoke=(0.0, 0.5),
            low=0.0,
            high=1.0,
            unit="share of rows that read one entry",
        ),
        Param("trials", 8, 20, smoke=1, low=1, high=1_000, unit="draws", static=True),
    ],
    returns={"least_squares": "", "seen": ""},
)
COHERENT = Simulation(
    descend,
    pose=pose,
    params=[
        Param("n", (30, 45, 60), (25, 30, 40, 50, 60, 80), smoke=(8, 14), low=1, high=1_000, unit="measurements"),
        Param(
            "coherence",
            (0.0, 0.3, 0.6),
            (0.0, 0.2, 0.4, 0.6, 0.8),
            smoke=(0.0, 0.5),
            low=0.0,
            high=1.0,
            unit="share of rows that read one entry",
        ),
        *SIZES,
        Param("start", 1e-6, low=0.0, high=100.0, unit="size of the start"),
        Param("rate", 0.4, low=1e-5, high=0.45, unit="step"),
        Param("strength", 1e-3, 1e-4, smoke=3e-3, low=1e-8, high=1.0, unit="of the l1 penalty"),
        Param("reach", 12.0, smoke=3.0, low=0.1, high=1e3, unit="slow time"),
        Param("level", 5e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as found"),
        Param("moments", 300, smoke=60, low=12, high=10_000, unit="readings", static=True),
        Param("trials", 8, 10, smoke=1, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={
        **dict.fromkeys(("steps", "train", "recovery", "l1"), "t"),
        **dict.fromkeys(("fits", "finds", "outcome"), ""),
    },
)
