r"""The dual of least entropy of singular values, $g(\nu) = b^\top\nu - 4c\sum_j\sinh^2(\sigma_j/2)$.

Here $\sigma$ are the singular values of $A = V^*(\nu) = U\Sigma V^\top$. It is concave and without constraints, in as many
unknowns as measurements; at its maximum $M = 2c\,U\sinh(\Sigma)V^\top$ meets them. The curvature holds divided differences
of $\sinh$: between $\sigma_i$ and $\sigma_j$ for symmetric parts of $U^\top X_nV$, between $\sigma_i$ and $-\sigma_j$ for
antisymmetric ones, between $\sigma_i$ and 0 beside the square. With $c = e^\ell$ the exact path is $d\nu/d\ell = -H^{-1}b$.
Source: woodworth2020, theorem 4.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ...numerics.stable import scaled_sinh, scaled_sinh_slope
from ...types import Array, Float, Scalar
from .measurements import AbstractMeasurements

# A step that changes some singular value of A by more than 2 overshoots by e^2.
_REACH = 2.0
# Levenberg's term, as a share of the mean curvature: rounding, where the data have a lower rank than they could.
_DAMPING = (1e-15, 1e-13, 1e-11, 1e-9)
_ARMIJO = 1e-4
# How well the measurements are met on the way down, and at the end.
_NEAR, _EXACT = 1e-6, 1e-14
_STEPS, _HALVINGS = 100, 30


@jax.jit
def sinh_sum(sizes: Float[Array, " k"], level: Scalar | float) -> tuple[Float[Array, " k"], Scalar]:
    r"""$\beta = 2c\sinh\sigma$ and $4c\sum_j\sinh^2(\sigma_j/2) = \sum_j\beta_j^2/(\sqrt{\beta_j^2 + 4c^2} + 2c)$."""
    beta, double = scaled_sinh(sizes, level), 2 * jnp.exp(level)
    total = jnp.hypot(beta, double) + double
    return beta, jnp.sum(jnp.where(total > 0, beta * (beta / jnp.where(total > 0, total, 1.0)), 0.0))


@jax.jit
def sinh_slopes(
    sizes: Float[Array, " k"], level: Scalar | float
) -> tuple[Float[Array, "k k"], Float[Array, "k k"], Float[Array, " k"]]:
    """The divided differences for symmetric parts, antisymmetric parts, and beside the square."""
    down = sizes[:, None]
    return (
        scaled_sinh_slope(down, sizes, level),
        scaled_sinh_slope(down, -sizes, level),
        scaled_sinh_slope(sizes, jnp.zeros_like(sizes), level),
    )


@dataclass(frozen=True)
class SchattenPoint:
    """One point of the dual: where it stands and what it amounts to."""

    nu: np.ndarray
    left: np.ndarray
    sizes: np.ndarray
    right: np.ndarray
    matrix: np.ndarray
    value: float
    residual: np.ndarray


@dataclass(frozen=True, eq=False)
class SchattenDual:
    """The dual for orthonormal measurements and a target of length one."""

    basis: AbstractMeasurements
    target: np.ndarray

    def at(self, nu: np.ndarray, level: float) -> SchattenPoint:
        """Everything Newton needs at one point."""
        left, sizes, right = np.linalg.svd(self.basis.spread(nu))
        beta, conjugate = (np.asarray(part) for part in sinh_sum(sizes, level))
        matrix = (left[:, : sizes.size] * beta) @ right[: sizes.size]
        value = float(self.target @ nu - conjugate)
        return SchattenPoint(nu, left, sizes, right, matrix, value, self.target - self.basis.read(matrix))

    def ascent(self, point: SchattenPoint, level: float, right: np.ndarray) -> np.ndarray:
        r"""$(H + \tau I)^{-1}$ times the right side, by Cholesky; $\tau$ grows until it succeeds."""
        half = self._half(point, level)
        curvature = half @ half.T
        mean = np.trace(curvature) / right.size
        for share in _DAMPING:
            try:
                return cho_solve(cho_factor(curvature + share * mean * np.eye(right.size)), right)
            except LinAlgError:
                continue
        return right / mean

    def _half(self, point: SchattenPoint, level: float) -> np.ndarray:
        r"""A matrix $B$, one row a measurement, with $BB^\top$ the curvature."""
        even, odd, aside = (np.sqrt(np.asarray(part)) for part in sinh_slopes(point.sizes, level))
        turned, k = self.basis.turned(point.left, point.right.T), point.sizes.size
        square, flipped = turned[:, :k, :k], turned[:, :k, :k].transpose(0, 2, 1)
        parts = (
            even * (square + flipped) / 2,
            odd * (square - flipped) / 2,
            aside[:, None] * turned[:, :k, k:],
            aside * turned[:, k:, :k],
        )
        return np.concatenate([part.reshape(self.target.size, -1) for part in parts], axis=1)

    def maximum(self, level: float) -> SchattenPoint:
        """The maximum, by continuation in the level from the lazy limit down."""
        lazy = float(np.linalg.norm(self.basis.spread(self.target), 2))
        goal, level = level, max(level, float(np.log(lazy)))
        step, point = 1.0, self.climb(self.target * np.exp(-level) / 2, level, tolerance=_NEAR)[0]
        while level > goal:
            lower = max(goal, level - step)
            change = (level - lower) * self.ascent(point, level, self.target)
            share = min(1.0, (level - lower + _REACH) / self._size(change))
            level = lower
            point, steps = self.climb(point.nu + share * change, level, tolerance=_NEAR)
            step = float(np.clip(step * (1.6 if steps <= 2 else 1.0 if steps <= 4 else 0.5), 0.25, 8.0))
        return self.climb(point.nu, level, tolerance=_EXACT)[0]

    def climb(self, nu: np.ndarray, level: float, *, tolerance: float) -> tuple[SchattenPoint, int]:
        """Newton with a cap and backtracking, until the measurements are met or rounding stops the progress."""
        point = self.at(nu, level)
        for step in range(_STEPS):
            after = self._improved(point, level) if np.linalg.norm(point.residual) > tolerance else None
            if after is None:
                return point, step
            point = after
        return point, _STEPS

    def _improved(self, point: SchattenPoint, level: float) -> SchattenPoint | None:
        """The next point: higher, or as high to rounding with the measurements better met; None if there is none."""
        change = self.ascent(point, level, point.residual)
        share = min(1.0, _REACH / self._size(change))
        promise, noise = float(point.residual @ change), 1e-14 * abs(point.value)
        for _ in range(_HALVINGS):
            after = self.at(point.nu + share * change, level)
            rise = after.value - point.value
            if rise > max(_ARMIJO * share * promise, noise):
                return after
            if rise > -noise and np.linalg.norm(after.residual) < 0.9 * np.linalg.norm(point.residual):
                return after
            share /= 2
        return None

    def _size(self, change: np.ndarray) -> float:
        """The largest change of a singular value of A."""
        return max(float(np.linalg.norm(self.basis.spread(change), 2)), 1e-300)
