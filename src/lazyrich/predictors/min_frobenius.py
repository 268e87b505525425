"""The interpolating matrix of least Frobenius norm."""

from dataclasses import dataclass

import numpy as np

from .base import Certificate, Reference
from .matrix_predictor import AbstractMatrixInterpolant, relative_residual
from .parts.linear_system import relative_gap
from .parts.measurements import AbstractMeasurements


@dataclass(frozen=True, eq=False)
class MinFrobenius(AbstractMatrixInterpolant):
    r"""$\arg\min_M \|M\|_F$ subject to $\langle X_n, M\rangle = y_n$.

    The lazy limit of matrix factorization from an unbiased initialization. With single entries known it keeps them and
    is zero elsewhere. `value` is that norm; `dual` a $\nu$ with $\|\sum_n\nu_nX_n\|_F = 1$ and $y^\top\nu$ near the value.
    Assumes: consistent measurements; repeated and dependent ones are welcome.
    Source: woodworth2020, section 6.
    """

    def _least(self, basis: AbstractMeasurements, target: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
        """The adjoint of the target: orthonormal measurements need no inverse."""
        return basis.spread(target), target

    def _judged(self, given: AbstractMeasurements, y: np.ndarray, matrix: np.ndarray, dual: np.ndarray) -> Reference:
        r"""Every $\nu$ bounds the norm below by $y^\top\nu/\|\sum_n\nu_nX_n\|_F$."""
        unit = float(np.abs(matrix).max())
        value = unit * float(np.linalg.norm(matrix / unit))
        dual = dual / np.linalg.norm(given.spread(dual))
        certificate = Certificate(relative_residual(given, y, matrix), relative_gap(float(y @ dual), value))
        return Reference(matrix, value, certificate, dual)
