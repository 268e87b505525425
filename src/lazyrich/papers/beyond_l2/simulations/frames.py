r"""Matrices with unit columns, alone and in pairs, and the Fourier basis: coherences, and norms over all sets of columns."""

import numpy as np

from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.dictionaries import generator
from ....numerics.coherence import coherence, isometry, largest_sum, one_coherence, subsets, unit_columns


def simplex(m: int) -> np.ndarray:
    r"""$m + 1$ unit columns in $m$ dimensions, any two with the product $-1/m$."""
    centered = np.eye(m + 1) - 1 / (m + 1)
    directions = np.linalg.svd(centered)[2][:m]
    return unit_columns(directions @ centered)


def alone(key, *, rows, over, most, matrices) -> dict[str, np.ndarray]:
    r"""$\mu_1(s)$ for $s$ from 1 to `most`: of random matrices of `over` times as many columns, a simplex, and a basis twice."""
    random = generator(key)
    sizes = range(1, most + 1)
    numbers = random.standard_normal((matrices, rows, over * rows))
    return {
        "random": np.array([[one_coherence(a, s) for s in sizes] for a in numbers]),
        "simplex": np.array([one_coherence(simplex(rows), s) for s in sizes]),
        "twice": np.array([one_coherence(np.hstack([np.eye(rows), np.eye(rows)]), s) for s in sizes]),
    }


def chain(a: np.ndarray, b: np.ndarray, s: int) -> dict[str, float]:
    r"""$\mu(A, B)$, and of $M=A^\top B$ and its sets $J$ of $s$ columns what the chain of bounds is made of.

    `column`, `row`, `operator`: $\|M_J\|_{1\to1}$, $\|M_J\|_{\infty\to\infty}$, $\|M_J\|$, the largest over $J$; with `_all`
    those of $M$. `kept` is $1-\delta_s(M)$, not below 0, and `grown` $1+\delta_n(M)$. `bent`: the most by which one of the
    four bounds between these norms of an $M_J$ is violated, over its operator norm.
    """
    table = a.T @ b
    parts = np.moveaxis(table[:, subsets(table.shape[1], s)], 1, 0)
    columns, rows = largest_sum(parts), largest_sum(np.swapaxes(parts, 1, 2))
    lengths = np.linalg.norm(parts, 2, axis=(1, 2))
    m = table.shape[0]
    excess = [lengths - s**0.5 * columns, columns - m**0.5 * lengths, lengths - m**0.5 * rows, rows - s**0.5 * lengths]
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
        "bent": float(np.max([part / lengths for part in excess])),
        "m": float(m),
        "s": float(s),
        "n": float(table.shape[1]),
    }


def in_pairs(key, *, height, left, right, sparsity, length, matrices) -> dict[str, np.ndarray]:
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


def fourier(n: int) -> np.ndarray:
    r"""The columns $e^{-2\pi i jk/n}/\sqrt{n}$."""
    return np.exp(-2j * np.pi * np.outer(np.arange(n), np.arange(n)) / n) / np.sqrt(n)


def waves(*, d, most) -> dict[str, np.ndarray]:
    r"""Coherences of the Fourier basis: with the canonical basis, for the sum of $s$ products of a column; and with itself."""
    basis = fourier(d)
    products = np.sort(np.abs(unit_columns(basis).conj().T), axis=1)[:, ::-1]
    return {
        "canonical": products.cumsum(axis=1)[:, :most].max(axis=0),
        "itself": np.array([one_coherence(basis, s) for s in range(1, most + 1)]),
        "pair": np.asarray(coherence(basis, np.eye(d))),
    }


ALONE = Simulation(
    alone,
    params=[
        Param("rows", (2, 5, 13), (2, 5, 13, 25, 41), smoke=(2, 5), low=2, high=1_000, unit="rows of the matrix"),
        Param("over", 2, 3, low=2, high=100, unit="columns / rows of random matrices"),
        Param("most", 10, 20, smoke=6, low=2, high=200, unit="largest number of columns $s$"),
        Param("matrices", 50, 1_000, smoke=4, low=1, high=100_000, unit="matrices per trial"),
    ],
    returns={"random": "r s", "simplex": "s", "twice": "s"},
    host=True,
)
IN_PAIRS = Simulation(
    in_pairs,
    params=[
        Param("height", (3, 20), (3, 10, 50), smoke=(3,), low=2, high=1_000, unit="dimension of the columns"),
        Param("left", (2, 6), (2, 6, 12), smoke=(3,), low=1, high=100, unit="columns of $A$"),
        Param("right", 8, 12, smoke=5, low=3, high=16, unit="columns of $B$"),
        Param("sparsity", (1, 3), (1, 2, 4), smoke=(2,), low=1, high=6, unit="columns of a set"),
        Param("length", 1.0, low=0.1, high=10.0, unit="of every column"),
        Param("matrices", 20, 40, smoke=4, low=1, high=10_000, unit="pairs of matrices per trial"),
    ],
    returns=dict.fromkeys("coherence column row operator column_all row_all operator_all kept grown bent m s n".split(), "r"),
    host=True,
)
WAVES = Simulation(
    waves,
    params=[
        Param("d", (6, 16, 45, 100), (6, 16, 45, 100, 512), smoke=(6, 16), low=5, high=4_096, unit="size of the basis"),
        Param("most", 4, low=1, high=5, unit="largest $s$"),
    ],
    returns={"canonical": "s", "itself": "s", "pair": ""},
    random=False,
    host=True,
)
