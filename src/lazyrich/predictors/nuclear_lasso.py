"""Least squares with a nuclear norm: where matrix factorization with weight decay goes."""

from dataclasses import dataclass
from typing import SupportsFloat

import numpy as np

from ..losses import Reduction, sample_weight
from ..numerics.shrinkage import Shrunk
from .base import Certificate, Reference
from .matrix_predictor import AbstractMatrixPredictor, singular_values
from .parts.arguments import require_between
from .parts.linear_system import relative_gap
from .parts.measurements import AbstractMeasurements
from .parts.nuclear_dual import NuclearDual
from .parts.nuclear_problem import NuclearProblem

# Strengths and their ratios to the data stay inside the range of floats.
_LEAST, _MOST = 1e-100, 1e100
# Values that differ by less are the same to the eye of every gap.
_ALIKE = 1e-9
# Proximal steps from the solution of the search.
_STEPS = 3


@dataclass(frozen=True, eq=False)
class NuclearLasso(AbstractMatrixPredictor):
    r"""$\arg\min_M\ w\sum_n(\langle X_n, M\rangle - y_n)^2 + s\|M\|_*$ with $w$ the weight of the reduction, $s$ the strength.

    For $M = UV^\top$ with L2, $\frac12(\|U\|_F^2 + \|V\|_F^2)$, at strength $s$, it costs at least $s\|M\|_*$, and exactly
    that for balanced factors: the regularized problem that a flow with weight decay really settles in, at the same $s$.
    `value` is the minimized sum; `dual` a $\nu$ with $\|\sum_n\nu_nX_n\|_{op}\le s$ and $y^\top\nu - \|\nu\|^2/4w$ near it.
    A place or a measurement given twice counts twice.
    """

    strength: SupportsFloat
    reduction: Reduction

    def __post_init__(self):
        """The strength must be positive."""
        object.__setattr__(self, "strength", require_between("strength", self.strength, low=_LEAST, high=_MOST))

    def _solve(self, given: AbstractMeasurements, y: np.ndarray) -> Reference:
        """Zero where the strength is above every price; else through the dual, in the size of a first step."""
        unit, weight = float(np.abs(y).max()) or 1.0, sample_weight(self.reduction, y.size)
        posed = _Posed(given, y / unit, weight, float(self.strength) / unit)
        left, prices, right = np.linalg.svd(given.spread(2 * weight * posed.y), full_matrices=False)
        if prices[0] <= posed.strength:
            return posed.judged(np.zeros(given.shape), [2 * weight * posed.y], unit)
        first = given.read(np.outer(left[:, 0], right[0]))
        size = float((prices[0] - posed.strength) / (2 * weight * (first @ first)))
        return posed.judged(*posed.least(size), unit)


@dataclass(frozen=True, eq=False)
class _Posed:
    """The problem with targets at most one in size."""

    given: AbstractMeasurements
    y: np.ndarray
    weight: float
    strength: float

    def least(self, size: float) -> tuple[np.ndarray, list[np.ndarray]]:
        """The solution and two duals: that of the search, and that of its residual."""
        spectrum = self.given.spectrum(self.y)
        ridge = self.strength / (2 * self.weight * size) / spectrum.sizes**2
        problem = NuclearProblem(spectrum.basis, spectrum.target / size, ridge)
        found = NuclearDual(problem).solve()
        dual = np.asarray(self.strength * (spectrum.lift @ found.dual))
        moved = size * problem.moved(found.matrix, found.dual)
        exact = moved + spectrum.basis.spread(spectrum.lift.T @ (self.y - dual / (2 * self.weight) - self.given.read(moved)))
        # A proximal step gives an exact rank; moving to where the dual wants the measurements matters for tiny strengths.
        plain = self.stepped(size * found.matrix, float(spectrum.sizes.max()))
        matrix = min((plain, moved, exact), key=self.value)
        matrix = plain if self.value(plain) <= self.value(matrix) * (1 + _ALIKE) else matrix
        never = self.y - np.asarray(spectrum.lift @ (spectrum.sizes**2 * spectrum.target))
        return matrix, [dual + 2 * self.weight * never, dual, 2 * self.weight * (self.y - self.given.read(matrix))]

    def stepped(self, matrix: np.ndarray, largest: float) -> np.ndarray:
        """The matrix after a few proximal steps of the length that never raises the value."""
        length = 1 / (2 * self.weight * largest**2)
        for _ in range(_STEPS):
            slope = 2 * self.weight * self.given.spread(self.given.read(matrix) - self.y)
            matrix = Shrunk.of(matrix - length * slope, length * self.strength).matrix
        return matrix

    def value(self, matrix: np.ndarray) -> float:
        """The minimized sum."""
        residual = self.given.read(matrix) - self.y
        return self.weight * float(residual @ residual) + self.strength * float(singular_values(matrix).sum())

    def judged(self, matrix: np.ndarray, duals: list[np.ndarray], unit: float) -> Reference:
        """The reference in the size of the targets as given, with the dual of the largest bound."""
        value, dual = self.value(matrix), max((self.allowed(dual) for dual in duals), key=self.bound)
        certificate = Certificate(0.0, relative_gap(self.bound(dual), value))
        return Reference(unit * matrix, unit**2 * value, certificate, unit * dual)

    def allowed(self, dual: np.ndarray) -> np.ndarray:
        """The dual scaled to where its bound is largest and its prices are at most the strength."""
        price, size = float(singular_values(self.given.spread(dual))[0]), float(dual @ dual)
        best = 2 * self.weight * float(self.y @ dual) / size if size > 0 else 0.0
        most = self.strength / price if price > 0 else np.inf
        return dual * float(np.clip(best, -most, most))

    def bound(self, dual: np.ndarray) -> float:
        r"""$y^\top\nu - \|\nu\|^2/4w$."""
        return float(self.y @ dual - dual @ dual / (4 * self.weight))
