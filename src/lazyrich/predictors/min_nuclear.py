"""The interpolating matrix of least nuclear norm."""

from dataclasses import dataclass

import numpy as np

from .base import Certificate, Reference
from .matrix_predictor import AbstractMatrixInterpolant, relative_residual, singular_values
from .parts.linear_system import relative_gap
from .parts.measurements import AbstractMeasurements
from .parts.nuclear_dual import NuclearDual
from .parts.nuclear_problem import NuclearProblem


@dataclass(frozen=True, eq=False)
class MinNuclear(AbstractMatrixInterpolant):
    r"""$\arg\min_M \|M\|_*$ subject to $\langle X_n, M\rangle = y_n$: the least sum of singular values.

    What matrix factorization from a vanishing initialization is compared with. `value` is that norm; `dual` a $\nu$ with
    $\|\sum_n\nu_nX_n\|_{op} = 1$ and $y^\top\nu$ near the value.
    Assumes: consistent measurements. The solution is one of the minimizers where there are several.
    Source: woodworth2020, section 6.
    """

    def _least(self, basis: AbstractMeasurements, target: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
        """Through the dual, without a ridge."""
        problem = NuclearProblem(basis, target, np.zeros(target.size))
        found = NuclearDual(problem).solve()
        return problem.moved(found.matrix, found.dual), found.dual

    def _judged(self, given: AbstractMeasurements, y: np.ndarray, matrix: np.ndarray, dual: np.ndarray) -> Reference:
        r"""Every $\nu$ bounds the norm below by $y^\top\nu/\|\sum_n\nu_nX_n\|_{op}$."""
        value = float(singular_values(matrix).sum())
        dual = dual / singular_values(given.spread(dual))[0]
        certificate = Certificate(relative_residual(given, y, matrix), relative_gap(float(y @ dual), value))
        return Reference(matrix, value, certificate, dual)
