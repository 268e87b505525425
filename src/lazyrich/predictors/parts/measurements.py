r"""What was measured of a matrix: $M\mapsto(\langle X_n, M\rangle)_n$, its adjoint, and equivalent orthonormal equations."""

import abc
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from ...numerics.graded import graded_svd
from .linear_system import LinearSystem, feasibility

# Two values at one place are the same when they differ by less than this share of themselves,
_SAME = 1e-8
# or by rounding of the largest value anywhere.
_ROUNDING = 1e-14
# Singular values below this share of the largest have squares that underflow.
_NOTHING = 1e-100


@dataclass(frozen=True, eq=False)
class Equations:
    r"""$V(M) = b$ with orthonormal measurements: $b = L^\top y$, and $L\nu$ prices the measurements as given.

    `sizes` are the singular values of the measurements as given, where the equations were made by `spectrum`.
    `proof` is a $z$ with $\sum_n z_nX_n = 0$ and $z^\top y\ne0$ when the measurements clash.
    """

    basis: "AbstractMeasurements"
    target: np.ndarray
    lift: np.ndarray | csr_array
    sizes: np.ndarray
    proof: np.ndarray | None = None


class AbstractMeasurements(abc.ABC):
    r"""The linear map $M\mapsto(\langle X_n, M\rangle)_n$ on matrices of one shape."""

    shape: tuple[int, int]

    @abc.abstractmethod
    def read(self, matrix: np.ndarray) -> np.ndarray:
        r"""$\langle X_n, M\rangle$ for every $n$."""

    @abc.abstractmethod
    def spread(self, dual: np.ndarray) -> np.ndarray:
        r"""$\sum_n\nu_nX_n$, the adjoint."""

    @abc.abstractmethod
    def turned(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        r"""$U^\top X_nV$ for every $n$."""

    @abc.abstractmethod
    def equations(self, y: np.ndarray) -> Equations:
        """Equivalent equations in which the units of a measurement and repeated ones do not matter."""

    @abc.abstractmethod
    def spectrum(self, y: np.ndarray) -> Equations:
        r"""Equations with $\sum_n(\langle X_n, M\rangle - y_n)^2 = \|S(V(M) - b)\|^2 + $ a constant, $S$ the sizes."""

    @abc.abstractmethod
    def residual(self, y: np.ndarray, matrix: np.ndarray) -> float:
        """How far a matrix is from the targets, over their size."""


@dataclass(frozen=True, eq=False)
class Places(AbstractMeasurements):
    """Single entries; a place may come twice."""

    rows: np.ndarray
    cols: np.ndarray
    shape: tuple[int, int]

    def read(self, matrix: np.ndarray) -> np.ndarray:
        """The entries at the places."""
        return matrix[self.rows, self.cols]

    def spread(self, dual: np.ndarray) -> np.ndarray:
        """A matrix of zeros with the numbers added at the places."""
        flat = np.bincount(self._flat, weights=dual, minlength=self.shape[0] * self.shape[1])
        return flat.reshape(self.shape)

    def turned(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        r"""The outer products of a row of $U$ and a row of $V$."""
        return left[self.rows][:, :, None] * right[self.cols][:, None, :]

    def equations(self, y: np.ndarray) -> Equations:
        """One equation a place, with the mean of the values there."""
        places, group, counts = np.unique(self._flat, return_inverse=True, return_counts=True)
        lift = csr_array((1 / counts[group], (np.arange(y.size), group)), shape=(y.size, places.size))
        once = Places(places // self.shape[1], places % self.shape[1], self.shape)
        return Equations(once, lift.T @ y, lift, np.sqrt(counts), _clash(y, group, places.size))

    def spectrum(self, y: np.ndarray) -> Equations:
        """The same equations: the size of a place is the root of its count."""
        return self.equations(y)

    def residual(self, y: np.ndarray, matrix: np.ndarray) -> float:
        r"""$\|M_\Omega - y\|_2/\|y\|_2$."""
        residual, size = np.linalg.norm(self.read(matrix) - y), np.linalg.norm(y)
        return 0.0 if residual == 0 else float(residual / size) if size > 0 else float("inf")

    @cached_property
    def _flat(self) -> np.ndarray:
        return self.rows * self.shape[1] + self.cols


def _clash(y: np.ndarray, group: np.ndarray, places: int) -> np.ndarray | None:
    """Plus and minus at the largest and the smallest value of the place where they differ most; None if none do."""
    most, least = np.full(places, -np.inf), np.full(places, np.inf)
    np.maximum.at(most, group, y)
    np.minimum.at(least, group, y)
    apart = most - least
    same = apart <= np.maximum(_SAME * np.maximum(np.abs(most), np.abs(least)), _ROUNDING * np.abs(y).max())
    if same.all():
        return None
    place = int(np.argmax(np.where(same, -np.inf, apart)))
    here = np.flatnonzero(group == place)
    proof = np.zeros(y.size)
    proof[here[np.argmax(y[here])]], proof[here[np.argmin(y[here])]] = np.sqrt(0.5), -np.sqrt(0.5)
    return proof


@dataclass(frozen=True, eq=False)
class Arrays(AbstractMeasurements):
    r"""Any matrices $X_n$, each as a row of their entries."""

    x: np.ndarray
    shape: tuple[int, int]

    def read(self, matrix: np.ndarray) -> np.ndarray:
        r"""$\langle X_n, M\rangle$ for every $n$."""
        return self.x @ matrix.ravel()

    def spread(self, dual: np.ndarray) -> np.ndarray:
        r"""$\sum_n\nu_nX_n$."""
        return (dual @ self.x).reshape(self.shape)

    def turned(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        r"""$U^\top X_nV$ for every $n$."""
        return left.T @ self.x.reshape(-1, *self.shape) @ right

    def equations(self, y: np.ndarray) -> Equations:
        """The linear system of the entries."""
        system = LinearSystem.of(self.x, y)
        return Equations(Arrays(system.rows, self.shape), system.target, system.lift, np.ones(0), system.proof)

    def spectrum(self, y: np.ndarray) -> Equations:
        """The singular value decomposition of all measurements, without directions of no size."""
        left, sizes, right = graded_svd(self.x)
        rank = int((sizes > _NOTHING * sizes[0]).sum())
        lift = left[:, :rank] / sizes[:rank]
        return Equations(Arrays(right[:rank], self.shape), lift.T @ y, lift, sizes[:rank])

    def residual(self, y: np.ndarray, matrix: np.ndarray) -> float:
        """The feasibility of the linear system."""
        return feasibility(self.x, y, matrix.ravel())
