"""Matrix completion by projected descent, with a fraction of the entries where local coherences are largest."""

import jax.numpy as jnp
import jax.random as jr

from ....dynamics import ProjectedSubgradient
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import counts
from ....numerics.crossings import first_crossing
from ....problems import Entries, Problem, local_coherence, orthogonal_matrix
from ....problems.orthogonal_matrix import coherent_places, entries_of
from .nuclear_descent import begin, objective_of


def make_problem(key, rows, cols, rank, n, coherence, order) -> Problem[Entries]:
    """Observed entries, repeated up to the size of the matrix: repeats change no projection, and one program fits all."""
    left, sizes, right = orthogonal_matrix(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank)
    scores = order * (local_coherence(left)[:, None] + local_coherence(right))
    places = coherent_places(jr.fold_in(key, 1), scores, n, coherence)
    truth = (left * sizes) @ right.T
    return Problem(entries_of(truth, places[jnp.arange(rows * cols) % n]), None, truth, None)


def descend(key, problem: Problem[Entries], *, step, reach, level, moments):
    """The recovery error after the first step, at the end and over rescaled time, and when it reaches the level."""
    when = counts(reach / step, moments)
    truth = problem.truth
    read = {"recovery": lambda model: jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth)}
    path = ProjectedSubgradient(1.0).run(objective_of(problem, step), begin(problem, 1e-6), when, read=read)
    errors = path.reads["recovery"]
    return {
        "slow": step * when,
        "recovery": errors,
        "first": errors[1],
        "last": errors[-1],
        "generalization": first_crossing(step * when, -errors, -level),
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    descend,
    make_problem=make_problem,
    params=[
        Param("coherence", (0.0, 0.5, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0), smoke=(0.0, 1.0), low=0.0, high=1.0),
        Param("n", (24, 30, 36), (60, 70, 80, 90), smoke=(12, 16), low=1, high=10_000, unit="observed entries"),
        Param("order", 1, low=-1, high=1, unit="1: largest coherence first, -1: smallest"),
        Param("step", 1e-3, 3e-4, smoke=1e-2, low=1e-7, high=0.1, unit=r"learning rate $\times$ strength"),
        Param("reach", 4.0, 8.0, smoke=2.0, low=0.1, high=1e3, unit=r"horizon $\alpha\beta_*t$"),
        Param("level", 0.03, smoke=0.1, low=1e-4, high=0.5, unit="threshold for the relative error"),
        Param("moments", 150, 400, smoke=40, low=12, high=10_000, unit="saved steps", static=True),
        Param("rows", 7, 10, smoke=5, low=2, high=100, unit="rows", static=True),
        Param("cols", 6, 10, smoke=4, low=2, high=100, unit="columns", static=True),
        Param("rank", 1, 2, smoke=1, low=1, high=50, unit="rank", static=True),
        Param("trials", 12, 30, smoke=2, low=1, high=10_000, unit="trials", static=True),
    ],
    returns={"slow": "t", "recovery": "t", **dict.fromkeys(("first", "last", "generalization", "outcome"), "")},
)
