r"""The dual of least hyperbolic entropy, $g(\nu) = b^\top\nu - \sum_i 2c_i(\cosh p_i - 1)$ with $p = R^\top\nu$.

Concave and without constraints in as many unknowns as equations. At its maximum $\beta = 2c\sinh p$ meets
$R\beta = b$. The curvature is $RSR^\top$ with $S = \sqrt{\beta^2 + 4c^2}$. The scale enters as
$c = e^{\ell}w_0^2$, and along the exact path $d\nu/d\ell = -(RSR^\top)^{-1}b$: one sweep down in the level
$\ell$ passes every scale on its way.
Source: woodworth2020, theorem 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ..numerics.stable import scaled_sinh
from ..types import Array, Float, Scalar

# A step that changes some p by more than 2 overshoots by e^2 and is walked back one unit at a time.
_REACH = 2.0
# Levenberg's term, as a share of the mean curvature: rounding, where y has fewer nonzeros than equations.
_DAMPING = 1e-15
_ARMIJO = 1e-4
# How well the equations are met on the way down, and at the levels asked for.
_NEAR, _EXACT = 1e-6, 1e-14


@jax.jit
def sinh_point(
    p: Float[Array, " d"], log_c: Float[Array, " d"]
) -> tuple[Float[Array, " d"], Float[Array, " d"], Scalar]:
    r"""$\beta = 2c\sinh p$, its slope $S$ in $p$, and $\sum_i 2c_i(\cosh p_i - 1) = \sum_i\beta_i^2/(S_i + 2c_i)$."""
    beta, double = scaled_sinh(p, log_c), 2 * jnp.exp(log_c)
    slope = jnp.hypot(beta, double)
    total = slope + double
    return beta, slope, jnp.sum(jnp.where(total > 0, beta * (beta / jnp.where(total > 0, total, 1.0)), 0.0))


@dataclass(frozen=True)
class DualPoint:
    """One point of the dual: where it stands and what it amounts to."""

    nu: np.ndarray
    effective: np.ndarray
    slope: np.ndarray
    value: float
    missed: np.ndarray


@dataclass(frozen=True)
class EntropyDual:
    r"""The dual for independent rows $R$, a target $b$ of length one and $\log w_0^2$."""

    rows: np.ndarray
    target: np.ndarray
    log_shape: np.ndarray

    def at(self, nu: np.ndarray, level: float) -> DualPoint:
        """Everything Newton needs at one point."""
        beta, slope, conjugate = (np.asarray(part) for part in sinh_point(nu @ self.rows, level + self.log_shape))
        return DualPoint(nu, beta, slope, float(self.target @ nu - conjugate), self.target - self.rows @ beta)

    def ascent(self, slope: np.ndarray, right: np.ndarray) -> np.ndarray:
        r"""$(RSR^\top + \tau I)^{-1}$ times the right side, by Cholesky; $\tau$ grows until it succeeds."""
        half = self.rows * np.sqrt(slope)
        curvature = half @ half.T
        mean = np.trace(curvature) / right.size
        for share in (_DAMPING, 1e-13, 1e-11, 1e-9):
            try:
                return cho_solve(cho_factor(curvature + share * mean * np.eye(right.size)), right)
            except LinAlgError:
                continue
        return right / mean

    def sweep(self, levels: Sequence[float]) -> Iterator[DualPoint]:
        """The maximum at each of the decreasing levels, by one continuation from the lazy limit down."""
        level, nu = self._lazy_start(levels[0])
        step, point = 1.0, self.climb(nu, level, tolerance=_NEAR)[0]
        for goal in levels:
            while level > goal:
                lower = max(goal, level - step)
                change = (level - lower) * self.ascent(point.slope, self.target)
                share = min(1.0, (level - lower + _REACH) / np.abs(change @ self.rows).max())
                level = lower
                point, steps = self.climb(point.nu + share * change, level, tolerance=_NEAR)
                step = float(np.clip(step * (1.6 if steps <= 2 else 1.0 if steps <= 4 else 0.5), 0.25, 16.0))
            point = self.climb(point.nu, level, tolerance=_EXACT)[0]
            yield point

    def _lazy_start(self, level: float) -> tuple[float, np.ndarray]:
        r"""The level asked for, or the lowest where $|p| \le 1/2$ in the quadratic limit, whichever is higher."""
        nu = self.ascent(2 * np.exp(self.log_shape), self.target)
        lazy = float(np.log(2 * np.abs(nu @ self.rows).max()))
        level = max(level, lazy)
        return level, nu * np.exp(-level)

    def climb(self, nu: np.ndarray, level: float, *, tolerance: float) -> tuple[DualPoint, int]:
        """Newton with a cap and backtracking, until the equations are met or rounding stops the progress."""
        point = self.at(nu, level)
        for step in range(100):
            if np.linalg.norm(point.missed) <= tolerance:
                return point, step
            after = self._improved(point, level)
            if after is None:
                return point, step
            point = after
        return point, 100

    def _improved(self, point: DualPoint, level: float) -> DualPoint | None:
        """The next point: higher, or as high to rounding with the equations better met; None if there is none."""
        change = self.ascent(point.slope, point.missed)
        share = min(1.0, _REACH / max(float(np.abs(change @ self.rows).max()), 1e-300))
        promise, noise = float(point.missed @ change), 1e-14 * abs(point.value)
        for _ in range(30):
            after = self.at(point.nu + share * change, level)
            rise = after.value - point.value
            if rise > _ARMIJO * share * promise and rise > noise:
                return after
            if rise > -noise and np.linalg.norm(after.missed) < 0.9 * np.linalg.norm(point.missed):
                return after
            share /= 2
        return None
