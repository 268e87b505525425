"""Completion by projected descent as entries of large local coherence are taken: what is found, and when."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import ProjectedSubgradient
from ...numerics.crossings import first_crossing
from ...problems import Problem, local_coherence, orthogonal_matrix
from ...problems.orthogonal_matrix import coherent_places, entries_of
from ..params import Param
from ..simulation import Simulation
from .l1_descent import counts
from .nuclear_descent import begin, goal_of


def pose(key, rows, cols, rank, n, coherence, order) -> Problem:
    """So many entries, each as often as fills the whole matrix: repeats change no projection, and one program does for all."""
    left, sizes, right = orthogonal_matrix(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank)
    scores = order * (local_coherence(left)[:, None] + local_coherence(right))
    places = coherent_places(jr.fold_in(key, 1), scores, n, coherence)
    truth = (left * sizes) @ right.T
    return Problem(entries_of(truth, places[jnp.arange(rows * cols) % n]), None, truth, None)


def descend(key, problem: Problem, *, step, reach, level, moments):
    """The error at the first step and at the end, its curve in slow time, and when it is down at the level."""
    when = counts(reach / step, moments)
    truth = problem.truth
    read = {"recovery": lambda model: jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth)}
    path = ProjectedSubgradient(1.0).run(goal_of(problem, step), begin(problem, 1e-6), when, read=read)
    errors = path.reads["recovery"]
    return {
        "slow": step * when,
        "recovery": errors,
        "first": errors[1],
        "last": errors[-1],
        "finds": first_crossing(step * when, -errors, -level),
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    descend,
    pose=pose,
    params=[
        Param("coherence", (0.0, 0.5, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0), smoke=(0.0, 1.0), low=0.0, high=1.0),
        Param("n", (24, 30, 36), (60, 70, 80, 90), smoke=(12, 16), low=1, high=10_000, unit="known entries"),
        Param("order", 1, low=-1, high=1, unit="1: the most coherent first, -1: the least"),
        Param("step", 1e-3, 3e-4, smoke=1e-2, low=1e-7, high=0.1, unit="rate x strength"),
        Param("reach", 4.0, 8.0, smoke=2.0, low=0.1, high=1e3, unit="slow time"),
        Param("level", 0.03, smoke=0.1, low=1e-4, high=0.5, unit="relative error that counts as found"),
        Param("moments", 150, 400, smoke=40, low=12, high=10_000, unit="readings", static=True),
        Param("rows", 7, 10, smoke=5, low=2, high=100, unit="rows", static=True),
        Param("cols", 6, 10, smoke=4, low=2, high=100, unit="columns", static=True),
        Param("rank", 1, 2, smoke=1, low=1, high=50, unit="rank of the truth", static=True),
        Param("trials", 12, 30, smoke=2, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={"slow": "t", "recovery": "t", **dict.fromkeys(("first", "last", "finds", "outcome"), "")},
)
