"""What theory says of a matrix and its measurements, before any training: whether it has the least norm, and when it is found."""

from functools import lru_cache

import jax.numpy as jnp
import numpy as np

from ...numerics.crossings import first_crossing
from ...numerics.nuclear_path import nuclear_path
from ...problems import Entries, Problem
from ..base import Reading, at_least
from .limits import SAME

# The sum of all local errors of a path is then below 1e-2 of its start, and what it tells of times below 1e-3.
TOLERANCE = 1e-4


def least_norm(problem: Problem) -> dict:
    """The fit of least nuclear norm, certified, and how far from the truth it is: masks that cannot recover are told apart."""
    from dataclasses import replace

    from ...predictors import MinNuclear

    found = MinNuclear().solve(problem.train)
    truth = np.asarray(problem.truth)
    return {
        "least": replace(found, effective=found.effective.ravel()),
        "missed": float(np.linalg.norm(found.effective - truth) / np.linalg.norm(truth)),
    }


def slow(problem: Problem, level: float) -> dict:
    """The least norm, and when the slow flow of the nuclear norm finds the truth and comes to rest there; never elsewhere."""
    told = least_norm(problem)
    if told["missed"] > SAME:
        return {**told, "finds": np.inf, "rests": np.inf}
    truth, (x, y) = np.asarray(problem.truth), _equations(problem)
    times, errors, rests = _followed(truth.shape, truth.tobytes(), x.tobytes(), y.tobytes())
    return {**told, "finds": float(first_crossing(jnp.asarray(times), -jnp.asarray(errors), -level)), "rests": rests}


@lru_cache(maxsize=256)
def _followed(shape: tuple[int, int], *parts: bytes) -> tuple[np.ndarray, np.ndarray, float]:
    """Times and errors along the slow flow, and when it rests; remembered, since one draw is asked for at every strength."""
    truth, x, y = (np.frombuffer(part) for part in parts)
    path = nuclear_path(x.reshape(-1, *shape), y, np.zeros(shape), tolerance=TOLERANCE)
    errors = np.linalg.norm(path.positions.reshape(len(path.times), -1) - truth, axis=1) / np.linalg.norm(truth)
    return path.times, errors, path.extinction


def sensed(problem: Problem, level: float, strength: float) -> dict:
    """The same, and the singular values of the nuclear lasso, where descent with this strength ends."""
    from dataclasses import replace

    from ...losses import HALF_SUM
    from ...predictors import NuclearLasso

    lasso = NuclearLasso(strength, HALF_SUM).solve(problem.train)
    sizes = np.linalg.svd(lasso.effective, compute_uv=False)
    return {**slow(problem, level), "lasso": replace(lasso, effective=lasso.effective.ravel()), "sizes": sizes}


def _equations(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    data = problem.train
    if not isinstance(data, Entries):
        return np.asarray(data.x), np.asarray(data.y)
    x = np.zeros((data.n, *data.shape))
    x[np.arange(data.n), np.asarray(data.rows), np.asarray(data.cols)] = 1.0
    return x, np.asarray(data.y)


def readable(told, reach: float):
    """The draws that can be read: the truth has the least norm, and the slow flow is there well before the horizon."""
    return (told["missed"] < SAME) & (told["rests"] < 0.8 * reach)


def enough(good) -> Reading:
    """Whether there are draws to judge by."""
    return at_least(
        "draws whose truth has the least nuclear norm and is reached by the horizon",
        good.sum(),
        2,
        why="where it has not the least norm no strength finds it, and nothing is said of recovery",
    )
