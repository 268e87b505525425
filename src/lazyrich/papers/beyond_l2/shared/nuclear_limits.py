"""What theory predicts for a matrix and its measurements: whether it has minimum nuclear norm, and when it is recovered."""

from functools import lru_cache

import jax.numpy as jnp
import numpy as np

from ....claims.base import Reading, at_least
from ....numerics.crossings import first_crossing
from ....numerics.nuclear_path import nuclear_path
from ....problems import Entries, Problem
from .limits import SAME

# The sum of all local errors of a path is then below 1e-2 of its first point, and the error of its times below 1e-3.
TOLERANCE = 1e-4


def least_norm(problem: Problem) -> dict:
    """The certified minimum-nuclear-norm interpolant, and its recovery error, which identifies masks that cannot recover."""
    from dataclasses import replace

    from ....predictors import MinNuclear

    found = MinNuclear().solve(problem.train)
    truth = np.asarray(problem.truth)
    return {
        "least": replace(found, effective=found.effective.ravel()),
        "recovery_error": float(np.linalg.norm(found.effective - truth) / np.linalg.norm(truth)),
    }


def slow(problem: Problem, level: int | float) -> dict:
    """The minimum norm, and when the slow flow of the nuclear norm recovers the ground truth and stops there; else never."""
    theory = least_norm(problem)
    if theory["recovery_error"] > SAME:
        return {**theory, "generalization": np.inf, "rests": np.inf}
    truth, (x, y) = np.asarray(problem.truth), _equations(problem)
    times, errors, rests = _followed(truth.shape, truth.tobytes(), x.tobytes(), y.tobytes())
    return {**theory, "generalization": float(first_crossing(jnp.asarray(times), -jnp.asarray(errors), -level)), "rests": rests}


@lru_cache(maxsize=256)
def _followed(shape: tuple[int, int], *parts: bytes) -> tuple[np.ndarray, np.ndarray, float]:
    """Times and errors along the slow flow, and when it stops; cached, since every strength asks for the same trial."""
    truth, x, y = (np.frombuffer(part) for part in parts)
    path = nuclear_path(x.reshape(-1, *shape), y, np.zeros(shape), tolerance=TOLERANCE)
    errors = np.linalg.norm(path.positions.reshape(len(path.times), -1) - truth, axis=1) / np.linalg.norm(truth)
    return path.times, errors, path.extinction


def sensed(problem: Problem, level: int | float, strength: int | float) -> dict:
    """The same, and the singular values of the nuclear lasso, to which descent with this strength converges."""
    from dataclasses import replace

    from ....predictors import NuclearLasso

    lasso = NuclearLasso(strength, "half_sum").solve(problem.train)
    sizes = np.linalg.svd(lasso.effective, compute_uv=False)
    return {**slow(problem, level), "lasso": replace(lasso, effective=lasso.effective.ravel()), "sizes": sizes}


def _equations(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    data = problem.train
    if not isinstance(data, Entries):
        return np.asarray(data.x), np.asarray(data.y)
    x = np.zeros((data.n, *data.shape))
    x[np.arange(data.n), np.asarray(data.rows), np.asarray(data.cols)] = 1.0
    return x, np.asarray(data.y)


def readable(theory, reach: int | float):
    """The readable trials: the ground truth has minimum nuclear norm, and the slow flow reaches it well before the horizon."""
    return (theory["recovery_error"] < SAME) & (theory["rests"] < 0.8 * reach)


def enough(good) -> Reading:
    """Whether there are such trials."""
    return at_least(
        "trials whose ground truth has minimum nuclear norm and is reached by the horizon",
        good.sum(),
        2,
        key="readable",
        why="the others are recovered at no strength, and the paper states nothing about them",
    )
