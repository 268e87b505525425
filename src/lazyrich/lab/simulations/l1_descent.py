r"""Sparse recovery with a small l1 penalty: first the data are fitted, then, rate times strength later, the truth is found."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent, ProjectedSubgradient, ProximalDescent
from ...losses import HALF_SUM, Squared
from ...models import Linear
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, Split, compressed_sensing
from ...regularizers import L1
from ..params import Param
from ..simulation import Simulation

METHODS = {"subgradient": GradientDescent, "proximal": ProximalDescent, "projected": ProjectedSubgradient}


def pose(key, n, d, sparsity, deviation, coherence) -> Problem:
    """Few measurements of a sparse vector."""
    return compressed_sensing(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, size=deviation, coherence=coherence)


def begin(key, d: int, start) -> Linear:
    r"""$N(0, \text{start}^2/d)$ in every entry."""
    return Linear(start * jr.normal(jr.fold_in(key, 1), (d,)) / jnp.sqrt(1.0 * d))


def counts(steps, moments: int):
    """Step counts from 0, logarithmic: times between them are good to the square of their spacing."""
    return jnp.round(jnp.concatenate([jnp.zeros(1), jnp.geomspace(1.0, steps, moments)]))


def follow(key, problem: Problem, method: str, *, start, rate, strength, steps, moments, until=0.0):
    """Errors and norm of one method, and how it ended; it stops where the truth is found to `until`."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength)])

    def missed(model):
        return jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth)

    read = {
        "train": lambda model: jnp.linalg.norm(data.x @ model.w - data.y) / jnp.linalg.norm(data.y),
        "recovery": missed,
        "l1": lambda model: jnp.abs(model.w).sum(),
    }
    when = counts(steps, moments)
    path = METHODS[method](rate).run(
        goal, begin(key, data.d, start), when, read=read, stop=lambda model: missed(model) < until
    )
    return path, when


def compare(key, problem: Problem, *, start, rate, strength, reach, level, moments):
    r"""All three methods until the truth is found: their curves and the slow times of fit and recovery."""
    found = {}
    outcome = jnp.zeros((), int)
    for method in METHODS:
        path, when = follow(
            key,
            problem,
            method,
            start=start,
            rate=rate,
            strength=strength,
            steps=reach / (rate * strength),
            moments=moments,
            until=level / 2,
        )
        slow = rate * strength * when
        found[f"{method}_train"] = path.reads["train"]
        found[f"{method}_recovery"] = path.reads["recovery"]
        found[f"{method}_fits"] = first_crossing(slow, -path.reads["train"], -level)
        found[f"{method}_finds"] = first_crossing(slow, -path.reads["recovery"], -level)
        outcome = jnp.maximum(outcome, path.outcome.code)
    return {**found, "slow": slow, "outcome": outcome}


PROBLEM = (
    Param("n", 30, 30, smoke=12, low=2, high=1_000, unit="measurements", static=True),
    Param("d", 60, 100, smoke=20, low=4, high=5_000, unit="unknowns", static=True),
    Param("sparsity", 3, 5, smoke=1, low=1, high=500, unit="entries of the truth", static=True),
    Param("deviation", 1.0, low=1e-6, high=1e6, unit="of those entries", static=True),
    Param("coherence", 0.0, low=0.0, high=1.0, unit="share of rows that read one entry", static=True),
    Param("start", 1e-6, low=0.0, high=100.0, unit="size of the start"),
)
COMPARED = Simulation(
    compare,
    pose=pose,
    params=[
        Param("rate", (0.1, 0.4), smoke=(0.2, 0.4), low=1e-5, high=1.0, unit="step"),
        Param("strength", (1e-4, 3e-5), (1e-4, 1e-5), smoke=(1e-3, 3e-4), low=1e-8, high=1.0, unit="of the l1 penalty"),
        Param("reach", 6.0, 10.0, smoke=3.0, low=0.1, high=1e3, unit="slow time"),
        Param("level", 1e-2, smoke=5e-2, low=1e-6, high=0.5, unit="relative error that counts as found"),
        Param("moments", 600, smoke=60, low=12, high=10_000, unit="readings", static=True),
        *PROBLEM,
    ],
    returns={
        **{f"{method}_{curve}": "t" for method in METHODS for curve in ("train", "recovery")},
        **{f"{method}_{time}": "" for method in METHODS for time in ("fits", "finds")},
        "slow": "t",
        "outcome": "",
    },
)
