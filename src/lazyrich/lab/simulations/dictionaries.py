"""Small random matrices, over all sets of their columns: coherence and restricted isometry constants, exactly."""

import jax.random as jr
import numpy as np

from ...numerics.coherence import excess, isometry, largest_sum, one_coherence, subsets, unit_columns
from ..params import Param
from ..simulation import Simulation


def generator(key) -> np.random.Generator:
    """A NumPy generator seeded by a key: nothing is compiled for the shapes."""
    return np.random.default_rng(np.asarray(jr.key_data(key)))


def measure(key, *, rows, columns, most, unit, matrices) -> dict[str, np.ndarray]:
    r"""For each matrix $\delta_s$, $\mu_1(s)$ and $\max_{|J|\leq s+1}\|A_J^\top A_J - I\|_{1\to1}$, with $s$ from 1 to `most`.

    `some` is $\|A_J^\top A_J - I\|$ of one random set of each size instead of all.
    """
    random = generator(key)
    numbers = random.standard_normal((matrices, rows, columns)) / np.sqrt(rows)
    orders = random.random((matrices, most, columns)).argsort(axis=-1)
    found = {name: np.zeros((matrices, most)) for name in ("isometry", "some", "one", "sums")}
    for at, (a, order) in enumerate(zip(numbers, orders, strict=True)):
        a = unit_columns(a) if unit else a
        for s in range(1, most + 1):
            found["isometry"][at, s - 1] = isometry(a, s)
            found["one"][at, s - 1] = one_coherence(a, s)
            found["some"][at, s - 1] = np.abs(np.linalg.eigvalsh(excess(a, order[s - 1][None, :s]))).max()
            found["sums"][at, s - 1] = max(largest_sum(excess(a, subsets(columns, k))).max() for k in (s, s + 1))
    # Sets of fewer columns too: a maximum over sizes up to s + 1.
    found["sums"] = np.maximum.accumulate(found["sums"], axis=1)
    return found


SIMULATION = Simulation(
    measure,
    params=[
        Param("rows", (4, 8, 20), (4, 8, 12, 40), smoke=(4,), low=2, high=1_000, unit="rows of the matrix"),
        Param("columns", 11, 14, smoke=7, low=4, high=20, unit="columns of the matrix"),
        Param("most", 4, 5, smoke=3, low=2, high=6, unit="largest number of columns $s$"),
        Param("unit", 1, low=0, high=1, unit="1: columns of unit norm, 0: as sampled"),
        Param("matrices", 12, 50, smoke=4, low=1, high=10_000, unit="matrices per trial"),
    ],
    returns=dict.fromkeys(("isometry", "some", "one", "sums"), "r s"),
    host=True,
)
