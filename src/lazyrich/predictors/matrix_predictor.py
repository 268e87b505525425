"""What predictors of matrices share: checked data, one certificate, no solution where measurements clash."""

import abc

import numpy as np

from ..errors import BadInput
from ..numerics.values import require_double, require_finite
from ..problems import Entries, Split
from .base import AbstractPredictor, Certificate, Reference, targets
from .parts.linear_system import no_answer
from .parts.measurements import AbstractMeasurements, Arrays, Places


class AbstractMatrixPredictor(AbstractPredictor):
    r"""A predictor of a matrix from some of its entries, or from inner products $\langle X_n, M\rangle$."""

    def solve(self, data: Split | Entries) -> Reference:
        """The reference solution for these data, certified; not ok, with a proof, where there is none."""
        return self._solve(*measured(type(self).__name__, data))

    @abc.abstractmethod
    def _solve(self, given: AbstractMeasurements, y: np.ndarray) -> Reference:
        """The solution for checked double-precision data."""


class AbstractMatrixInterpolant(AbstractMatrixPredictor):
    """A predictor of a matrix that meets its measurements exactly."""

    def _solve(self, given: AbstractMeasurements, y: np.ndarray) -> Reference:
        """The least one for a target of length one, in its own size, moved onto the measurements as given."""
        unit = float(np.abs(y).max()) or 1.0
        equations = given.equations(y / unit)
        if equations.proof is not None:
            return no_answer(given.shape, equations.proof)
        length = float(np.linalg.norm(equations.target))
        if length == 0:
            matrix = np.zeros(given.shape)
            return Reference(matrix, 0.0, Certificate(given.residual(y / unit, matrix), 0.0), np.zeros(y.size))
        matrix, dual = self._least(equations.basis, equations.target / length, length * unit)
        matrix = length * matrix
        for _ in range(2):
            residual = equations.lift.T @ (y / unit - given.read(matrix))
            matrix = matrix + equations.basis.spread(residual)
        prices, dual = equations.basis.spread(dual), equations.lift @ dual
        for _ in range(2):
            dual = dual + equations.lift @ equations.basis.read(prices - given.spread(dual))
        return self._judged(given, y, unit * matrix, dual)

    @abc.abstractmethod
    def _least(self, basis: AbstractMeasurements, target: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
        """The solution and its dual for orthonormal measurements and a target of length one; the true one has this size."""

    @abc.abstractmethod
    def _judged(self, given: AbstractMeasurements, y: np.ndarray, matrix: np.ndarray, dual: np.ndarray) -> Reference:
        """The reference, with a certificate from the data as given, a matrix and a dual alone."""


def measured(who: str, data: Split | Entries) -> tuple[AbstractMeasurements, np.ndarray]:
    """The data as a checked map and double-precision targets of the host."""
    require_double(who)
    if isinstance(data, Entries):
        rows, cols = np.asarray(data.rows, np.int64), np.asarray(data.cols, np.int64)
        return Places(rows, cols, data.shape), targets(who, data.y)
    if not isinstance(data, Split) or data.x.ndim != 3:
        raise BadInput(
            needed=f"{who} takes Entries, or a Split whose inputs are matrices",
            given=f"inputs of shape {data.x.shape[1:]}" if isinstance(data, Split) else type(data).__name__,
            cure="Use MinL1 or MinL2 for vectors, or give one matrix a sample.",
        )
    require_finite(f"x given to {who}", data.x)
    x = np.asarray(data.x, float)
    return Arrays(x.reshape(x.shape[0], -1), x.shape[1:]), targets(who, data.y)


def relative_residual(given: AbstractMeasurements, y: np.ndarray, matrix: np.ndarray) -> float:
    """The feasibility of a matrix, at any size of the targets."""
    unit = float(np.abs(y).max()) or 1.0
    return given.residual(y / unit, matrix / unit)


def singular_values(matrix: np.ndarray) -> np.ndarray:
    """The singular values, largest first."""
    return np.linalg.svd(matrix, compute_uv=False)
