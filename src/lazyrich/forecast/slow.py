"""When a weak l1 or nuclear penalty on plain weights reaches its minimum norm: the slow flow along the interpolants."""

from typing import Any

import numpy as np

from ..errors import BadInput
from ..models import Linear, Matrix
from ..numerics.nuclear_path import nuclear_path
from ..numerics.slow_path import slow_path
from ..objective import Objective
from ..problems import Entries, Split
from .levels import test_error
from .transition import leaves

# Places on the path at which the test is read.
READ = 2_000


def path_of(objective: Objective, init: Any) -> Any:
    """The path of a linear model, or of a matrix whose entries are known."""
    y = np.asarray(objective.data.y)
    if isinstance(init, Linear) and isinstance(objective.data, Split):
        return slow_path(np.asarray(objective.data.x), y, np.asarray(init.w))
    if isinstance(init, Matrix) and isinstance(objective.data, Entries):
        rows = np.zeros((y.size, *objective.data.shape))
        rows[np.arange(y.size), np.asarray(objective.data.rows), np.asarray(objective.data.cols)] = 1.0
        return nuclear_path(rows, y, np.asarray(init.w))
    raise BadInput(
        needed="l1 and nuclear penalties are forecast for plain weights (Linear) and plain matrices of known entries (Matrix)",
        given=f"a {type(init).__name__} on {type(objective.data).__name__}",
        cure="Use L2 for nets of two or more layers.",
    )


def levels(objective: Objective, path: Any, test: Split | Entries) -> tuple[np.ndarray, np.ndarray]:
    """Slow times, and the test error at each."""
    times = np.linspace(0.0, float(path.times[-1]), READ)
    places = path.at(times)
    if isinstance(test, Entries):
        found = places[:, np.asarray(test.rows), np.asarray(test.cols)]
    else:
        found = places @ np.asarray(test.x).T
    return times, np.array([test_error(objective, one, np.asarray(test.y)) for one in found])


def slow_switch(times: np.ndarray, test: np.ndarray) -> tuple[float, float]:
    """When half of the change is done, and the time from a tenth to nine tenths of it, in slow time."""
    ends = [leaves(times, test, test[0], test[-1], share) for share in (0.1, 0.5, 0.9)]
    return ends[1], ends[2] - ends[0]


def fit_time(objective: Objective, init: Any) -> float:
    """The flow time in which the data are fitted to a percent of their squares, by the slowest direction that carries a percent.

    Residuals of plain weights fall as exp(-2 w s t) along the directions of the data, with s the squared singular values.
    """
    x = np.asarray(objective.data.x) if isinstance(objective.data, Split) else np.eye(int(objective.data.y.size))
    left, values, _ = np.linalg.svd(x, full_matrices=False)
    first = (left.T @ (np.asarray(objective.data.y) - np.asarray(objective.outputs(init)))) ** 2
    rates, size = 4 * objective.weight * values**2, float(np.sum(np.asarray(objective.data.y) ** 2))
    times = np.geomspace(1e-3, 1e9, 600) / max(float(rates.max()), 1e-300)
    squares = (np.exp(-np.outer(times, rates)) * first).sum(axis=1)
    fitted = np.flatnonzero(squares <= 1e-2 * size)
    return float(times[fitted[0]]) if fitted.size else float("inf")
