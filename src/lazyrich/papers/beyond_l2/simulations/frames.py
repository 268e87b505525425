r"""Two matrices $A$ and $B$, their coherence, and the norms of $M = A^\top B$ over all sets of its columns."""

import numpy as np

from ...numerics.coherence import coherence, isometry, largest_sum, subsets, unit_columns
from ..params import Param
from ..simulation import Simulation
from .dictionaries import generator


def chain(a: np.ndarray, b: np.ndarray, s: int) -> dict[str, float]:
    r"""The coherence, and of $M$ and its sets of $s$ columns what the chain of bounds is made of.

    `column`, `row`, `operator`: $\|M_J\|_{1\to1}$, $\|M_J\|_{\infty\to\infty}$, $\|M_J\|$, the largest over $J$; with `_all`
    those of $M$. `kept` is $1 - \delta_s(M)$, not below 0, and `grown` $1 + \delta_n(M)$. `bent`: the most by which one of the
    four bounds between these norms of an $M_J$ is missed, over its operator norm.
    """
    table = a.T @ b
    parts = np.moveaxis(table[:, subsets(table.shape[1], s)], 1, 0)
    columns, rows = largest_sum(parts), largest_sum(np.swapaxes(parts, 1, 2))
    lengths = np.linalg.norm(parts, 2, axis=(1, 2))
    m = table.shape[0]
    missed = [lengths - s**0.5 * columns, columns - m**0.5 * lengths, lengths - m**0.5 * rows, rows - s**0.5 * lengths]
    return {
        "coherence": coherence(a, b),
        "column": columns.max(),
        "row": rows.max(),
        "operator": lengths.max(),
        "column_all": float(largest_sum(table)),
        "row_all": float(largest_sum(table.T)),
        "operator_all": float(np.linalg.norm(table, 2)),
        "kept": max(0.0, 1 - isometry(table, s)),
        "grown": 1 + isometry(table, table.shape[1]),
        "bent": float(np.max([part / lengths for part in missed])),
        "m": float(m),
        "s": float(s),
        "n": float(table.shape[1]),
    }


def measure(key, *, height, left, right, sparsity, length, matrices) -> dict[str, np.ndarray]:
    """Random columns of one length; then all columns equal; then two columns at 60 degrees."""
    random = generator(key)
    pairs = []
    for _ in range(matrices):
        a, b = (random.standard_normal((height, count)) for count in (left, right))
        pairs.append((unit_columns(a), unit_columns(b), sparsity))
    first = np.eye(height)[:, :1]
    pairs.append((np.repeat(first, left, axis=1), np.repeat(first, right, axis=1), sparsity))
    pairs.append((first, 0.5 * first + 0.75**0.5 * np.eye(height)[:, 1:2], 1))
    found = [chain(length * a, length * b, s) for a, b, s in pairs]
    return {name: np.array([one[name] for one in found]) for name in found[0]}


SIMULATION = Simulation(
    measure,
    params=[
        Param("height", (3, 20), (3, 10, 50), smoke=(3,), low=2, high=1_000, unit="length of the columns"),
        Param("left", (2, 6), (2, 6, 12), smoke=(3,), low=1, high=100, unit="columns of A"),
        Param("right", 8, 12, smoke=5, low=3, high=16, unit="columns of B"),
        Param("sparsity", (1, 3), (1, 2, 4), smoke=(2,), low=1, high=6, unit="columns of a set"),
        Param("length", 1.0, low=0.1, high=10.0, unit="of every column"),
        Param("matrices", 20, 40, smoke=4, low=1, high=10_000, unit="pairs of matrices a draw"),
    ],
    returns=dict.fromkeys(
        (
            *("coherence", "column", "row", "operator", "column_all", "row_all", "operator_all"),
            *("kept", "grown", "bent", "m", "s", "n"),
        ),
        "r",
    ),
    host=True,
)
