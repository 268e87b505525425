"""What the slow flow of the l1 norm says of a sparse recovery, before any training."""

import numpy as np

from ...dynamics.limits import SlowFlow
from ...losses import HALF_SUM, Squared
from ...models import Linear
from ...objective import Objective
from ...problems import Problem
from ...regularizers import L1

SAME = 1e-6  # a relative distance below which an answer is the truth: solvers end at 1e-10, other answers are 1e-2 away


def slow(problem: Problem, level: float) -> dict[str, float]:
    """When the slow flow has found the truth to `level`, when it comes to rest, and how far from the truth that is."""
    truth = np.asarray(problem.truth)
    goal = Objective(problem.train, Squared(), factor=HALF_SUM, penalties=[(L1(), 1.0)])
    path = SlowFlow().path(goal, Linear.at_scale(0.0, dim=truth.size))
    size = np.linalg.norm(truth)
    missed = np.linalg.norm(path.positions - truth, axis=1) / size
    return {
        "finds": _first_within(path, truth, float(level * size)),
        "extinction": path.extinction,
        "missed": float(missed[-1]),
        "least_squares": float(missed[0]),
    }


def _first_within(path, truth: np.ndarray, radius: float) -> float:
    r"""The first time at which $\|b - b^*\|_2$ is at most the radius: on each straight piece a quadratic equation."""
    for time, until, place, pace in zip(path.times, path.times[1:], path.positions, path.velocities, strict=False):
        apart = place - truth
        if np.linalg.norm(apart) <= radius:
            return float(time)
        a, b, c = pace @ pace, apart @ pace, apart @ apart - radius**2
        if b < 0 <= b * b - a * c:
            wait = c / (-b + np.sqrt(b * b - a * c))
            if wait <= until - time:
                return float(time + wait)
    return float(path.times[-1]) if np.linalg.norm(path.positions[-1] - truth) <= radius else np.inf
