r"""Sparse recovery: the largest scale that recovers the ground truth, and how many samples minimum $\ell_1$ and $\ell_2$ need."""

import jax
import numpy as np

from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.diagonal_regression import make_problem
from ....problems import Problem, Split
from .entropy_path import error, solved

# One program for each shape: on the host every step of it would be one.
posed = jax.jit(make_problem, static_argnames=("n", "d", "sparsity", "noise"))

# Decimal logarithms of alpha^D: first the upper ones, where many samples suffice, then the lower ones.
UPPER, LOWER = np.linspace(1, -3, 9), np.linspace(-3, -16, 14)


def crossing(logs: np.ndarray, errors: np.ndarray, level: float) -> float:
    """The largest log scale with an error at most the level, interpolated between neighbors in logarithms; -inf if none."""
    good = np.flatnonzero(errors <= level)
    if not good.size or good[0] == 0:
        return float(logs[0]) if good.size else -np.inf
    at = good[0]
    fraction = np.log(errors[at - 1] / level) / np.log(errors[at - 1] / errors[at])
    return float(logs[at - 1] + fraction * (logs[at] - logs[at - 1]))


def largest_scale(key, problem: Problem[Split], *, depth, level):
    r"""$\log_{10}\alpha^D$ of the largest scale that recovers to the level, and the error of minimum $\ell_1$.

    Scanned from above, since the error is not quite monotone in the scale.
    """
    from ....predictors import MinL1

    data = problem.train
    predicted, found, certified = MinL1().solve(data), -np.inf, True
    limit = float(error(problem, predicted.effective))
    for logs in (UPPER, LOWER):
        # Where minimum l1 is far off no small scale will do.
        if found == -np.inf and (logs is UPPER or limit <= 2 * level):
            effective, ok = solved(data, 10 ** (logs / depth), depth)
            errors = np.asarray(error(problem, effective))
            found = crossing(logs, errors, level)
            # What lies below the crossing is not read.
            read = int(np.argmax(errors <= level)) if found > -np.inf else ok.size - 1
            certified = certified and bool(ok[: read + 1].all())
    return {"log_scale": found, "error_l1": limit, "outcome": 0 if certified and predicted.ok else 2}


def fewest(problem, predictor, level) -> int:
    """The fewest samples, of those of the problem in their order, whose interpolant has an error of at most the level."""
    low, high, most = 1, 4, problem.train.n
    # On the host: each cut of a device's array would be a program of its own.
    x, y, truth = (np.asarray(part) for part in (problem.train.x, problem.train.y, problem.truth))

    def recovers(n: int) -> bool:
        predicted = predictor.solve(Split(*jax.device_put((x[:n], y[:n]))))
        return predicted.ok and float(((predicted.effective - truth) ** 2).sum()) <= level

    while high < most and not recovers(high):
        low, high = high + 1, min(2 * high, most)
    while low < high:
        n = (low + high) // 2
        low, high = (low, n) if recovers(n) else (n + 1, high)
    return low


def counts(key, problem, *, level):
    """By bisection, for both norms."""
    from ....predictors import MinL1, MinL2

    return {"l1": fewest(problem, MinL1(), level), "l2": fewest(problem, MinL2(), level)}


LEVEL = Param("level", 0.025, low=1e-4, high=0.5, unit="error that counts as recovery")
SAMPLES = (20, 30, 40, 50, 60, 80, 100, 140, 200)
SCALE = Simulation(
    largest_scale,
    make_problem=posed,
    params=[
        Param("n", (10, 18, 26, 38, 54), SAMPLES, smoke=(8, 16), low=2, high=2_000, unit="samples"),
        Param("depth", (2, 3), (2, 3, 4, 5, 10), smoke=(2, 3), low=2, high=20),
        Param("d", 150, 1000, smoke=20, low=4, high=5_000, unit="dimension"),
        Param("sparsity", 2, 5, smoke=1, low=1, high=1_000, unit="nonzeros of the ground truth"),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation"),
        LEVEL,
        Param("trials", 5, 10, smoke=1, low=1, high=1_000, unit="trials"),
    ],
    returns={"log_scale": "", "error_l1": "", "outcome": ""},
    host=True,
)
COUNT = Simulation(
    counts,
    make_problem=posed,
    params=[
        Param("d", (40, 80, 160, 320), (50, 100, 200, 400, 800), smoke=(16, 32), low=8, high=5_000, unit="dimension"),
        Param("n", "=d", low=8, high=5_000, unit="samples at most"),
        Param("sparsity", (2, 4), (2, 4, 8), smoke=(1,), low=1, high=100, unit="nonzeros of the ground truth"),
        Param("noise", 0.0, low=0.0, high=0.0, unit="standard deviation"),
        LEVEL,
        Param("trials", 8, 10, smoke=1, low=1, high=1_000, unit="trials"),
    ],
    returns={"l1": "", "l2": ""},
    host=True,
)
