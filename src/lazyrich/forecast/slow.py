"""When a weak l1 or nuclear penalty on plain weights finds its least norm: the slow flow along all fits of the data."""

from typing import Any

import numpy as np

from ...errors import BadInput
from ...models import Linear, Matrix
from ...numerics.nuclear_path import nuclear_path
from ...numerics.slow_path import slow_path
from ...objective import Objective
from ...problems import Entries, Split
from .answers import missed
from .switch import leaves

# Places on the path at which the test is read.
READ = 2_000


def path_of(goal: Objective, start: Any) -> Any:
    """The path of a linear model, or of a matrix whose entries are known."""
    y = np.asarray(goal.data.y)
    if isinstance(start, Linear) and isinstance(goal.data, Split):
        return slow_path(np.asarray(goal.data.x), y, np.asarray(start.w))
    if isinstance(start, Matrix) and isinstance(goal.data, Entries):
        rows = np.zeros((y.size, *goal.data.shape))
        rows[np.arange(y.size), np.asarray(goal.data.rows), np.asarray(goal.data.cols)] = 1.0
        return nuclear_path(rows, y, np.asarray(start.w))
    raise BadInput(
        needed="l1 and nuclear penalties are forecast for plain weights (Linear) and plain matrices of known entries (Matrix)",
        given=f"a {type(start).__name__} on {type(goal.data).__name__}",
        cure="Use L2 for nets of two layers and more.",
    )


def levels(goal: Objective, path: Any, test: Split | Entries) -> tuple[np.ndarray, np.ndarray]:
    """Slow times, and what is missed of the test at each."""
    times = np.linspace(0.0, float(path.times[-1]), READ)
    places = path.at(times)
    if isinstance(test, Entries):
        found = places[:, np.asarray(test.rows), np.asarray(test.cols)]
    else:
        found = places @ np.asarray(test.x).T
    return times, np.array([missed(goal, one, np.asarray(test.y)) for one in found])


def slow_switch(times: np.ndarray, test: np.ndarray) -> tuple[float, float]:
    """When half of the change is done, and the time from a tenth to nine tenths of it, in slow time."""
    ends = [leaves(times, test, test[0], test[-1], share) for share in (0.1, 0.5, 0.9)]
    return ends[1], ends[2] - ends[0]


def fit_time(goal: Objective, start: Any) -> float:
    """The flow time in which the data are fitted to a percent of their squares, by the slowest direction that carries a percent.

    Residuals of plain weights fall as exp(-2 w s t) along the directions of the data, with s the squared singular values.
    """
    x = np.asarray(goal.data.x) if isinstance(goal.data, Split) else np.eye(int(goal.data.y.size))
    left, values, _ = np.linalg.svd(x, full_matrices=False)
    first = (left.T @ (np.asarray(goal.data.y) - np.asarray(goal.outputs(start)))) ** 2
    rates, size = 4 * goal.weight * values**2, float(np.sum(np.asarray(goal.data.y) ** 2))
    times = np.geomspace(1e-3, 1e9, 600) / max(float(rates.max()), 1e-300)
    missed_squares = (np.exp(-np.outer(times, rates)) * first).sum(axis=1)
    fitted = np.flatnonzero(missed_squares <= 1e-2 * size)
    return float(times[fitted[0]]) if fitted.size else float("inf")
