r"""The equations $X\beta = y$: their rank, an equivalent form that is well conditioned, a proof when they clash."""

from dataclasses import dataclass

import numpy as np

from .base import FEASIBILITY, Certificate, Reference


@dataclass(frozen=True)
class LinearSystem:
    r"""$V\beta = b$ with orthonormal rows, equivalent to $X\beta = y$: $V = L^\top X$, $b = L^\top y$.

    Rows are brought to length one before the rank is read, so neither the units of a sample nor repeated
    samples matter. `proof` is a $z$ with $z^\top X = 0$ and $z^\top y \ne 0$ when the equations clash.
    """

    rows: np.ndarray
    target: np.ndarray
    lift: np.ndarray
    proof: np.ndarray | None

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray) -> "LinearSystem":
        """The equivalent system, by a QR factorization and a small singular value decomposition."""
        lengths = row_lengths(x)
        orthonormal, triangle = np.linalg.qr((x / lengths[:, None]).T)
        left, sizes, right = np.linalg.svd(triangle.T, full_matrices=False)
        rank = int((sizes > sizes[0] * max(x.shape) * np.finfo(float).eps).sum())
        left, sizes, right = left[:, :rank], sizes[:rank], right[:rank]
        scaled = y / lengths
        inside = left.T @ scaled
        return cls(
            rows=right @ orthonormal.T,
            target=inside / sizes,
            lift=left / sizes / lengths[:, None],
            proof=_proof(x, y, lengths, scaled - left @ inside),
        )


def _proof(x: np.ndarray, y: np.ndarray, lengths: np.ndarray, missed: np.ndarray) -> np.ndarray | None:
    r"""A $z$ of length one, orthogonal to the columns of $X$ but not to $y$; None when what is missed is rounding."""
    empty = ~x.any(axis=1) & (y != 0)
    if empty.any():
        return np.where(np.arange(y.size) == np.argmax(empty), 1.0, 0.0)
    if np.linalg.norm(missed) <= FEASIBILITY * np.linalg.norm(y / lengths):
        return None
    proof = missed / lengths
    return proof / np.linalg.norm(proof)


def row_lengths(x: np.ndarray) -> np.ndarray:
    """The Euclidean length of each row, one for rows of zeros."""
    lengths = np.sqrt(np.einsum("nd,nd->n", x, x))
    return np.where(lengths > 0, lengths, 1.0)


def feasibility(x: np.ndarray, y: np.ndarray, effective: np.ndarray) -> float:
    r"""$\|X\beta - y\|_2/\|y\|_2$, as given or with every row of $X$ brought to length one: the larger."""
    return relative_miss(x @ effective - y, y, row_lengths(x))


def relative_miss(missed: np.ndarray, size: np.ndarray, lengths: np.ndarray) -> float:
    """What is missed over the size it is compared with, both as given or over the lengths of the rows: the larger."""
    if not missed.any():
        return 0.0
    if not size.any():
        return float("inf")
    plain = np.linalg.norm(missed) / np.linalg.norm(size)
    scaled = np.linalg.norm(missed / lengths) / np.linalg.norm(size / lengths)
    return float(max(plain, scaled))


def relative_gap(bound: float, value: float) -> float:
    """How far a lower bound and a value are apart, over the value; 0 when both are 0.

    The distance counts on both sides: a value below the bound is as wrong as one above it.
    """
    if value == bound == 0:
        return 0.0
    gap = abs(1 - bound / value) if value > 0 else float("inf")
    return float(gap) if np.isfinite(gap) else float("inf")


def no_answer(dim: int, proof: np.ndarray | None) -> Reference:
    """The reference of a problem without an answer: zeros, of infinite value, never ok, with the proof."""
    return Reference(np.zeros(dim), float("inf"), Certificate(float("inf"), float("inf"), proof))


def zero_answer(x: np.ndarray, y: np.ndarray) -> Reference:
    """The reference when all answers are zero: zeros, of value zero."""
    effective = np.zeros(x.shape[1])
    return Reference(effective, 0.0, Certificate(feasibility(x, y, effective), 0.0), np.zeros(y.size))
