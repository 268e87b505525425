r"""Least nuclear norm for orthonormal measurements, with a ridge or without: its gap, and the first iterate of a search."""

from dataclasses import dataclass

import numpy as np

from .measurements import AbstractMeasurements


@dataclass(frozen=True)
class Iterate:
    r"""A matrix, a dual and the weight $\sigma$ between them."""

    matrix: np.ndarray
    dual: np.ndarray
    weight: float


@dataclass(frozen=True, eq=False)
class NuclearProblem:
    r"""The problem for orthonormal measurements $V$, a target $b$, and the diagonal of $R\ge0$.

    With $R = 0$ the matrix meets $V(M) = b$. With $R > 0$ it minimizes
    $\|M\|_* + \frac12\sum_k(V(M) - b)_k^2/R_k$. Both should be posed so that $M$ is about of size one.
    """

    basis: AbstractMeasurements
    target: np.ndarray
    ridge: np.ndarray

    def moved(self, matrix: np.ndarray, dual: np.ndarray) -> np.ndarray:
        """The matrix moved to where the dual wants it: onto the measurements, where there is no ridge."""
        return matrix + self.basis.spread(self.residual(matrix, dual) / (1 + self.ridge))

    def gap(self, matrix: np.ndarray, dual: np.ndarray) -> float:
        """The relative distance between the value of the moved matrix and the bound of the scaled dual."""
        matrix = self.moved(matrix, dual)
        left = np.where(self.ridge > 0, self.target - self.basis.read(matrix), 0.0)
        cost = left @ (left / np.where(self.ridge > 0, self.ridge, 1.0)) / 2
        value = cost + np.linalg.svd(matrix, compute_uv=False).sum()
        size = np.linalg.norm(self.basis.spread(dual), 2)
        gain, price = self.target @ dual, dual @ (self.ridge * dual)
        share = min(1 / size if size > 0 else np.inf, max(gain, 0.0) / price if price > 0 else np.inf)
        bound = share * gain - share**2 * price / 2 if np.isfinite(share) else 0.0
        return float(1 - bound / value) if value > 0 else 0.0

    def residual(self, matrix: np.ndarray, dual: np.ndarray) -> np.ndarray:
        r"""$b - R\nu - V(M)$."""
        return self.target - self.ridge * dual - self.basis.read(matrix)

    def first(self) -> Iterate:
        """The matrix of least Frobenius norm, with the prices it would have if it were the solution."""
        matrix = self.basis.spread(self.target / (1 + self.ridge))
        left, sizes, right = np.linalg.svd(matrix, full_matrices=False)
        rank = int((sizes > sizes[0] * max(matrix.shape) * np.finfo(float).eps).sum())
        return Iterate(matrix, self.basis.read(left[:, :rank] @ right[:rank]), float(sizes[0]))

    def length(self, residual: np.ndarray) -> float:
        """The size of a residual, large ridges discounted."""
        return float(np.linalg.norm(residual / (1 + self.ridge)))
