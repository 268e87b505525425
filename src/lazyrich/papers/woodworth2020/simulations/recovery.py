r"""Sparse recovery: the largest scale of the start that still recovers the truth, against the number of samples."""

import jax
import numpy as np

from ...problems import Problem, Split
from ..params import Param
from ..simulation import Simulation
from .diagonal_regression import pose
from .entropy_path import error, solved

# One program for each shape: on the host every step of it would be one.
posed = jax.jit(pose, static_argnames=("n", "d", "sparsity", "noise"))

# Decimal logarithms of alpha^D: first the upper ones, where many samples suffice, then the lower ones.
UPPER, LOWER = np.linspace(1, -3, 9), np.linspace(-3, -16, 14)


def crossing(logs: np.ndarray, errors: np.ndarray, level: float) -> float:
    """The largest log scale at which the error is at most the level, between two neighbors by their logarithms; -inf if none."""
    good = np.flatnonzero(errors <= level)
    if not good.size or good[0] == 0:
        return float(logs[0]) if good.size else -np.inf
    at = good[0]
    share = np.log(errors[at - 1] / level) / np.log(errors[at - 1] / errors[at])
    return float(logs[at - 1] + share * (logs[at] - logs[at - 1]))


def largest_scale(key, problem: Problem, *, depth, level):
    r"""$\log_{10}\alpha^D$ of the largest scale that recovers to the level, and whether least l1 does.

    Scanned from above, since the error is not quite monotone in the scale.
    """
    from ...predictors import MinL1

    data = problem.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    told, found, certified = MinL1().solve(data), -np.inf, True
    limit = float(error(problem, told.effective))
    for logs in (UPPER, LOWER):
        # Where least l1 misses by far no small scale will do.
        if found == -np.inf and (logs is UPPER or limit <= 2 * level):
            effective, ok = solved(data, 10 ** (logs / depth), depth)
            errors = np.asarray(error(problem, effective))
            found = crossing(logs, errors, level)
            # What lies below the crossing is not read.
            read = int(np.argmax(errors <= level)) if found > -np.inf else ok.size - 1
            certified = certified and bool(ok[: read + 1].all())
    return {"log_scale": found, "error_l1": limit, "outcome": 0 if certified and told.ok else 2}


SIMULATION = Simulation(
    largest_scale,
    pose=posed,
    params=[
        Param(
            "n",
            (10, 18, 26, 38, 54),
            (20, 30, 40, 50, 60, 80, 100, 140, 200),
            smoke=(8, 16),
            low=2,
            high=2_000,
            unit="samples",
        ),
        Param("depth", (2, 3), (2, 3, 4, 5, 10), smoke=(2, 3), low=2, high=20),
        Param("d", 150, 1000, smoke=20, low=4, high=5_000, unit="unknowns"),
        Param("sparsity", 2, 5, smoke=1, low=1, high=1_000, unit="entries of the truth"),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation"),
        Param("level", 0.025, low=1e-4, high=0.5, unit="error that counts as recovery"),
        Param("trials", 5, 10, smoke=1, low=1, high=1_000, unit="draws"),
    ],
    returns={"log_scale": "", "error_l1": "", "outcome": ""},
    host=True,
)
