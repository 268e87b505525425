"""The interpolating matrix whose singular values have the least hyperbolic entropy."""

from dataclasses import dataclass
from typing import SupportsFloat

import jax
import jax.numpy as jnp
import numpy as np

from ..numerics.entropy import scaled_entropy
from ..types import Array, Float, Scalar
from .base import Certificate, Reference
from .matrix_predictor import AbstractMatrixInterpolant, relative_residual, singular_values
from .parts.arguments import require_between
from .parts.linear_system import relative_gap
from .parts.measurements import AbstractMeasurements
from .parts.schatten_dual import SchattenDual, sinh_sum

# Beyond these scales c = mu^2 or 1 / c^2 nears the end of the range of floats.
_LEAST, _MOST = 1e-150, 1e100
# Tighter than the house limits: the gap is quadratic in the distance to the minimizer.
_FEASIBILITY, _GAP = 1e-10, 1e-9


@dataclass(frozen=True, eq=False)
class MinSchattenEntropy(AbstractMatrixInterpolant):
    r"""$\arg\min_M \sum_j\mu^2q(\sigma_j(M)/\mu^2)$ subject to $\langle X_n, M\rangle = y_n$, with $q'(z) = \sinh^{-1}(z/2)$.

    For measurements that commute, the limit of wide matrix factorization with $2\mu^2$ the scale of the lifted init: then it is
    `MinHyperbolicEntropy(mu)` on the diagonals. For others it is an extension, and a flow need not end here. Large
    scales give the least Frobenius norm, small ones the least nuclear norm. `value` is the entropy; `dual` is $\nu$ with
    $M = 2\mu^2U\sinh(\Sigma)V^\top$ for $\sum_n\nu_nX_n = U\Sigma V^\top$.
    Assumes: consistent measurements. Made for a few hundred of them: the curvature is dense.
    Source: woodworth2020, theorem 4.
    """

    mu: SupportsFloat

    def __post_init__(self):
        """The scale must be positive."""
        object.__setattr__(self, "mu", require_between("mu", self.mu, low=_LEAST, high=_MOST))

    def _least(self, basis: AbstractMeasurements, target: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
        """Solutions scale with the data: the level is that of a target of length one."""
        point = SchattenDual(basis, target).maximum(self._level - float(np.log(size)))
        return point.matrix, point.nu

    def _judged(self, given: AbstractMeasurements, y: np.ndarray, matrix: np.ndarray, dual: np.ndarray) -> Reference:
        r"""Every $\nu$ bounds the entropy below by $y^\top\nu - 4\mu^2\sum_j\sinh^2(\sigma_j/2)$."""
        value = float(_entropy(singular_values(matrix), self._level))
        bound = float(y @ dual) - float(sinh_sum(singular_values(given.spread(dual)), self._level)[1])
        residual, gap = relative_residual(given, y, matrix), relative_gap(bound, value)
        return Reference(matrix, value, Certificate(residual, gap, None, _FEASIBILITY, _GAP), dual)

    @property
    def _level(self) -> float:
        r"""$\log\mu^2$."""
        return 2 * float(np.log(float(self.mu)))


@jax.jit
def _entropy(sizes: Float[Array, " k"], level: Scalar | float) -> Scalar:
    """The sum of the scaled entropies."""
    return jnp.sum(scaled_entropy(sizes, level))
