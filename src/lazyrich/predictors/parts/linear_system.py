r"""The equations $X\beta = y$: their rank, an equivalent form that is well conditioned, a proof when they clash."""

from dataclasses import dataclass, replace

import numpy as np

from ..base import FEASIBILITY, Certificate, Reference

# The mean of the inverse squares of the singular values of rows of length one, up to which products of them lose
# no more than the last three digits.
_FAR = 100.0
# Squares above this, and below its inverse, are full double-precision numbers.
_SMALLEST = 1e-200
# What equations leave over is known to rounding over the share it has of y, which is at least 1e-8: a proof made of it
# vanishes in each column to this share.
_CANCELLED = 1e-7


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
        plain = cls._well_conditioned(x / lengths[:, None], y, lengths) if x.shape[0] <= x.shape[1] else None
        if plain is not None:
            return plain
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

    @classmethod
    def _well_conditioned(cls, unit: np.ndarray, y: np.ndarray, lengths: np.ndarray) -> "LinearSystem | None":
        """The same by a Cholesky factorization, several times faster; None unless all rows are far from dependent."""
        try:
            lower = np.linalg.inv(np.linalg.cholesky(unit @ unit.T))
        except np.linalg.LinAlgError:
            return None
        if not np.square(lower).sum() <= _FAR * y.size:
            return None
        return cls(rows=lower @ unit, target=lower @ (y / lengths), lift=lower.T / lengths[:, None], proof=None)


def _proof(x: np.ndarray, y: np.ndarray, lengths: np.ndarray, residual: np.ndarray) -> np.ndarray | None:
    r"""A $z$ of length one, orthogonal to the columns of $X$ but not to $y$; None when the residual is rounding."""
    empty = ~x.any(axis=1) & (y != 0)
    if empty.any():
        return np.where(np.arange(y.size) == np.argmax(empty), 1.0, 0.0)
    if np.linalg.norm(residual) <= FEASIBILITY * np.linalg.norm(y / lengths):
        return None
    proof = residual / lengths
    return proof / np.linalg.norm(proof) if cancels(proof, x, share=_CANCELLED) else None


def cancels(weights: np.ndarray, x: np.ndarray, *, share: float) -> bool:
    """Whether the rows so weighted (in one way, or one a column of weights) vanish, to a share of each column's largest entry.

    By columns, since a column may be small in its units and still decide.
    """
    return bool((np.abs(weights.T @ x) <= share * np.abs(weights).sum() * np.abs(x).max(axis=0)).all())


def row_lengths(x: np.ndarray) -> np.ndarray:
    """The Euclidean length of each row, one for rows of zeros."""
    squares = np.einsum("nd,nd->n", x, x)
    if squares.min() > _SMALLEST and squares.max() < 1 / _SMALLEST:
        return np.sqrt(squares)
    tops = np.abs(x).max(axis=1)
    tops = np.where(tops > 0, tops, 1.0)
    return tops * np.maximum(np.linalg.norm(x / tops[:, None], axis=1), np.where(x.any(axis=1), 0.0, 1.0))


def column_sizes(x: np.ndarray) -> np.ndarray:
    """Powers of two near the lengths of the columns, one for columns of zeros: dividing by them rounds nothing."""
    return np.exp2(np.round(np.log2(row_lengths((x / row_lengths(x)[:, None]).T))))


def unit_of(values: np.ndarray) -> float:
    """The power of two near the largest size among the values, 1 if all are zero."""
    top = float(np.abs(values).max())
    return float(np.exp2(np.round(np.log2(top)))) if top > 0 else 1.0


def feasibility(x: np.ndarray, y: np.ndarray, effective: np.ndarray) -> float:
    r"""$\|X\beta - y\|_2/\|y\|_2$, as given or with every row of $X$ brought to length one: the larger."""
    return relative_residual(x @ effective - y, y, row_lengths(x))


def relative_residual(residual: np.ndarray, size: np.ndarray, lengths: np.ndarray) -> float:
    """A residual over the size it is compared with, both as given or over the lengths of the rows: the larger."""
    if not residual.any():
        return 0.0
    if not size.any():
        return float("inf")
    plain = _ratio(residual, size)
    scaled = _ratio(residual / lengths, size / lengths)
    return float(max(plain, scaled))


def _ratio(part: np.ndarray, whole: np.ndarray) -> float:
    """The ratio of two lengths, at any size of both."""
    unit = unit_of(whole)
    return float(np.linalg.norm(part / unit) / np.linalg.norm(whole / unit))


def lone_gap(x: np.ndarray, y: np.ndarray, effective: np.ndarray, *, weights: np.ndarray, order: int) -> float | None:
    r"""How far $\|c\odot\beta\|$ can be from that of the only solution, relative; None where the inputs depend on each other.

    With an approximate left inverse $J$ and $q = \|I - JX\| < 1$ the only solution is $\beta + (I - q')^{-1}J(y - X\beta)$
    with $|q'| \le q$, whatever dual there may be.
    """
    sizes = column_sizes(x)
    lengths = row_lengths(x / sizes)
    unit = x / sizes / lengths[:, None]
    inverse = np.linalg.pinv(unit, rcond=max(x.shape) * np.finfo(float).eps)
    share = float(np.linalg.norm(np.eye(x.shape[1]) - inverse @ unit))
    size = float(np.linalg.norm(weights * effective, order))
    if not share < 0.5 or not size > 0:
        return None
    change = inverse @ ((y - x @ effective) / lengths)
    # A bound for what J(y - X beta) leaves out, in the sizes of the columns.
    change = np.abs(change) + share / (1 - share) * np.linalg.norm(change)
    return float(np.linalg.norm(weights * change / sizes, order) / size)


def relative_gap(bound: float, value: float) -> float:
    """How far a lower bound and a value are apart, over the value; 0 when both are 0.

    The distance counts on both sides: a value below the bound is as wrong as one above it.
    """
    if value == bound == 0:
        return 0.0
    gap = abs(1 - bound / value) if value > 0 else float("inf")
    return float(gap) if np.isfinite(gap) else float("inf")


def no_answer(dim: int | tuple[int, ...], proof: np.ndarray | None) -> Reference:
    """The reference of a problem without a solution: zeros, of infinite value, never ok, with the proof."""
    return Reference(np.zeros(dim), float("inf"), Certificate(float("inf"), float("inf"), proof))


def in_units(reference: Reference, unit: float) -> Reference:
    """The solution to the problem whose targets y are larger by a factor, when all scales with them."""
    return replace(reference, effective=unit * reference.effective, value=unit * reference.value)


def zero_answer(x: np.ndarray, y: np.ndarray) -> Reference:
    """The reference when all targets are zero: zeros, of value zero."""
    effective = np.zeros(x.shape[1])
    return Reference(effective, 0.0, Certificate(feasibility(x, y, effective), 0.0), np.zeros(y.size))
