"""Sparse recovery from the first rows of a square matrix: one program for all numbers of rows and coherences."""

from functools import partial

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import follow
from ....numerics.crossings import first_crossing
from ....problems import Problem, Split, compressed_sensing
from ....problems.rows import first_rows, require_rows

_first_rows = jax.jit(first_rows)


def make_problem(key, d, sparsity) -> Problem[Split]:
    """As many rows as unknowns, of which runs take the first ones."""
    return compressed_sensing(jr.fold_in(key, 0), n=d, d=d, sparsity=sparsity)


def trimmed(problem: Problem[Split], n: int, coherence: float) -> Problem[Split]:
    """The same few measurements without the rows of zeros, for solvers on the host."""
    require_rows(problem.train.n, n, coherence)
    few = _first_rows(problem, n, coherence)
    x, y = (jnp.asarray(np.asarray(part)[:n]) for part in (few.train.x, few.train.y))
    return Problem(Split(x, y), None, few.truth, None)


def least_squares(key, problem: Problem[Split], *, n, coherence):
    r"""The recovery error of the minimum-$\ell_2$-norm interpolant, and the fraction of the support that coordinate rows read."""
    few = first_rows(problem, n, coherence)
    x, y, truth = few.train.x, few.train.y, few.truth
    gram = x @ x.T + jnp.diag(jnp.where(jnp.arange(y.size) < n, 0.0, 1.0))
    found = x.T @ jnp.linalg.solve(gram, y)
    plain = jnp.arange(truth.size) < jnp.floor(coherence * n + 1e-9)
    return {
        "least_squares": jnp.linalg.norm(found - truth) / jnp.linalg.norm(truth),
        "seen": jnp.sum(plain & (truth != 0)) / jnp.sum(truth != 0),
    }


def descend(key, problem: Problem[Split], *, n, coherence, init_scale, learning_rate, strength, reach, level, moments):
    r"""Subgradient descent with a small $\ell_1$ penalty until recovery: curves, memorization time and recovery time."""
    path, when = follow(
        key,
        first_rows(problem, n, coherence),
        "subgradient",
        init_scale=init_scale,
        learning_rate=learning_rate,
        strength=strength,
        steps=reach / (learning_rate * strength),
        moments=moments,
        until=level / 2,
    )
    train, recovery = path.reads["train"], path.reads["recovery"]
    return {
        "steps": when,
        "train": train,
        "recovery": recovery,
        "l1": path.reads["l1"],
        "memorization": first_crossing(when, -train, -level),
        "generalization": first_crossing(when, -recovery, -level),
        "outcome": path.outcome.code,
    }


rows = partial(Param, "n", low=1, high=1_000, unit="measurements")
sparsities = partial(Param, "sparsity", low=1, high=500, unit="nonzero entries", static=True)
coherences = partial(Param, "coherence", low=0.0, high=1.0, unit="fraction of rows that read one entry")
SIZES = (Param("d", 100, smoke=20, low=4, high=1_000, unit="unknowns", static=True), sparsities(5, smoke=1))
BASELINE = Simulation(
    least_squares,
    make_problem=make_problem,
    params=[
        rows(tuple(range(6, 100, 6)), tuple(range(4, 101, 4)), smoke=(4, 12, 18)),
        SIZES[0],
        sparsities((2, 6, 16), (1, 2, 5, 10, 20, 30, 40), smoke=(1, 2)),
        coherences((0.0, 0.5, 0.9, 1.0), (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0), smoke=(0.0, 0.5)),
        Param("trials", 8, 20, smoke=1, low=1, high=1_000, unit="trials", static=True),
    ],
    returns={"least_squares": "", "seen": ""},
)
COHERENT = Simulation(
    descend,
    make_problem=make_problem,
    params=[
        rows((30, 45, 60), (25, 30, 40, 50, 60, 80), smoke=(8, 14)),
        coherences((0.0, 0.3, 0.6), (0.0, 0.2, 0.4, 0.6, 0.8), smoke=(0.0, 0.5)),
        *SIZES,
        Param("init_scale", 1e-6, low=0.0, high=100.0, unit="norm of the initialization"),
        Param("learning_rate", 0.4, low=1e-5, high=0.45, unit="learning rate"),
        Param("strength", 1e-3, 1e-4, smoke=3e-3, low=1e-8, high=1.0, unit=r"$\ell_1$ penalty"),
        Param("reach", 12.0, smoke=3.0, low=0.1, high=1e3, unit=r"horizon $\alpha\beta_1t$"),
        Param("level", 5e-2, smoke=0.2, low=1e-6, high=0.5, unit="threshold for the relative error"),
        Param("moments", 300, smoke=60, low=12, high=10_000, unit="saved steps", static=True),
        Param("trials", 8, 10, smoke=1, low=1, high=10_000, unit="trials", static=True),
    ],
    returns={
        **dict.fromkeys(("steps", "train", "recovery", "l1"), "t"),
        **dict.fromkeys(("memorization", "generalization", "outcome"), ""),
    },
)
