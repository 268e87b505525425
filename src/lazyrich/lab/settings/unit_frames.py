r"""Unit columns whose coherence has a least value: random ones, a simplex, and a basis twice."""

import numpy as np

from ...numerics.coherence import one_coherence, unit_columns
from ..params import Param
from ..simulation import Simulation
from .dictionaries import generator


def simplex(m: int) -> np.ndarray:
    r"""$m + 1$ unit columns in $m$ dimensions, any two with the product $-1/m$."""
    centered = np.eye(m + 1) - 1 / (m + 1)
    directions = np.linalg.svd(centered)[2][:m]
    return unit_columns(directions @ centered)


def measure(key, *, rows, over, most, matrices) -> dict[str, np.ndarray]:
    r"""$\mu_1(s)$ for $s$ from 1 to `most`: of random matrices of `over` times as many columns, and of the two others."""
    random = generator(key)
    sizes = range(1, most + 1)
    numbers = random.standard_normal((matrices, rows, over * rows))
    return {
        "random": np.array([[one_coherence(a, s) for s in sizes] for a in numbers]),
        "simplex": np.array([one_coherence(simplex(rows), s) for s in sizes]),
        "twice": np.array([one_coherence(np.hstack([np.eye(rows), np.eye(rows)]), s) for s in sizes]),
    }


SIMULATION = Simulation(
    measure,
    params=[
        Param("rows", (2, 5, 13), (2, 5, 13, 25, 41), smoke=(2, 5), low=2, high=1_000, unit="rows of the matrix"),
        Param("over", 2, 3, low=2, high=100, unit="columns over rows, of the random ones"),
        Param("most", 10, 20, smoke=6, low=2, high=200, unit="largest number of columns s"),
        Param("matrices", 50, 1_000, smoke=4, low=1, high=100_000, unit="matrices a draw"),
    ],
    returns={"random": "r s", "simplex": "s", "twice": "s"},
    host=True,
)
