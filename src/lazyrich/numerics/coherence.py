r"""How nearly orthogonal columns are: coherences, and restricted isometry by all sets of columns."""

import itertools
import math
from functools import lru_cache

import numpy as np

from ..errors import BadInput

MOST = 1_000_000
"""How many sets of columns are looked at, at most."""


def unit_columns(a: np.ndarray) -> np.ndarray:
    """The columns at length one."""
    lengths = np.linalg.norm(a, axis=0)
    if not np.all(lengths > 0):
        raise BadInput(
            needed="coherence compares directions of columns",
            given=f"a column of zeros at {int(np.argmin(lengths))}",
            cure="Leave that column out.",
        )
    return a / lengths


def coherence(a: np.ndarray, b: np.ndarray) -> float:
    r"""$\mu(A, B) = \max_{ij}|\langle a_i, b_j\rangle|/(\|a_i\|\|b_j\|)$. Source: beyond_l2, definition C.3."""
    return float(np.abs(unit_columns(a).conj().T @ unit_columns(b)).max())


def mutual_coherence(a: np.ndarray) -> float:
    r"""$\mu(A) = \max_{i\ne j}|\langle a_i, a_j\rangle|/(\|a_i\|\|a_j\|)$. Source: beyond_l2, definition C.3."""
    return one_coherence(a, 1)


def one_coherence(a: np.ndarray, s: int) -> float:
    r"""$\mu_1(A, s) = \max_i\max_{|J|\le s,\,i\notin J}\sum_{j\in J}|\langle a_i, a_j\rangle|/(\|a_i\|\|a_j\|)$.

    The sum of the $s$ largest, or of all where there are fewer. Source: beyond_l2, definition C.3.
    """
    columns = unit_columns(a)
    table = np.abs(columns.conj().T @ columns)
    np.fill_diagonal(table, 0.0)
    return float(np.sort(table, axis=1)[:, ::-1][:, :s].sum(axis=1).max())


def isometry(a: np.ndarray, s: int) -> float:
    r"""$\delta_s(A) = \max_{|J| = s}\|A_J^\top A_J - I\|$, over all sets of $s$ columns. Source: beyond_l2, definition C.1."""
    return float(np.abs(np.linalg.eigvalsh(excess(a, subsets(a.shape[1], s)))).max())


def excess(a: np.ndarray, sets: np.ndarray) -> np.ndarray:
    r"""$A_J^\top A_J - I$ for each of these sets of columns."""
    table = a.T @ a
    return table[sets[:, :, None], sets[:, None, :]] - np.eye(sets.shape[1])


def largest_sum(a: np.ndarray) -> np.ndarray:
    r"""$\|A\|_{1\to1}$: the largest sum of sizes down a column; of each matrix in a stack."""
    return np.asarray(np.abs(a).sum(axis=-2).max(axis=-1))


@lru_cache(maxsize=32)
def subsets(n: int, s: int) -> np.ndarray:
    """All sets of s of n columns, one a row."""
    if not 1 <= s <= n or math.comb(n, s) > MOST:
        raise BadInput(
            needed=f"sets of 1 to n columns, at most {MOST} of them",
            given=f"sets of {s} of n = {n} columns" + (f": {math.comb(n, s)}" if 1 <= s <= n else ""),
            cure="Take fewer columns, or smaller sets.",
        )
    return np.array(list(itertools.combinations(range(n), s)))
