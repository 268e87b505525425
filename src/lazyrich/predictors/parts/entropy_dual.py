r"""Least entropy under $R\beta = b$ by Newton on the conditions of optimality, continued in the scale.

The problem is $\min\sum_i c_i\varphi(\beta_i/c_i) - \theta_i\beta_i$ with $c = e^\ell s$. At the solution the prices
$p = \varphi'(\beta/c)$ are $R^\top\nu + \theta$. A step of Newton solves both conditions, linearized, in as many
unknowns as equations: $RS(e + R^\top\dot\nu) = r$ with $S = d\beta/dp$, $r = b - R\beta$ and $e = R^\top\nu + \theta - p$.
Each coordinate then moves by its value or by its price, whichever is the less curved there. When the level $\ell$ falls,
the support keeps its values and the others their prices. That is exact in the lazy and in the rich limit, so one
sweep passes every scale in few steps.
Prices are kept through the $\sigma$ of their link and $e$ in units of $e^{-u}$ with $u = \log\max S$: both keep their
digits where $1 - |p|$ is far below the rounding of one.
Source: woodworth2020, theorems 1 and 3.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...numerics.entropy_links import Link
from .weighted_rows import WeightedRows

# Off the support, a value below this share of the largest moves by its price however curved it is there.
_FAINT = 1e-4
# How well the conditions are met on the way down and at the levels asked for; beyond the third a step was too long.
_NEAR, _EXACT, _LOST = 1e-5, 1e-13, 1e6
# A value at a price beyond the range counts as this many times all values.
_FAR = 10.0
# Prices within this of their limit belong to the support.
_SURE = 1e-6
# Steps of Newton before a smaller step on the way is tried, and most of them at the levels asked for.
_PATIENCE, _MOST = 8, 30
# The least and the largest step in the level, and the least in the factor before the shifts.
_SHORTEST, _LONGEST, _FINEST = 1e-3, 40.0, 1e-4
# Steps in the level in one sweep (a usual one takes 50); then levels are reached in one go and certificates tell.
_BUDGET = 2000

# A step too long may overflow: its doubt is then not a number and the step is not taken.
_ALLOWED = np.errstate(over="ignore", invalid="ignore")


@dataclass(frozen=True)
class DualPoint:
    r"""A level, the values $\beta$ with their $\sigma$, the dual $\nu$, $e$ in its unit, and who is off the support."""

    level: float
    effective: np.ndarray
    sigma: np.ndarray
    nu: np.ndarray
    error: np.ndarray
    unit: float
    off: np.ndarray


@dataclass(frozen=True)
class EntropyDual:
    r"""The problem for independent rows $R$, a target $b$ of length one (or zero), $\log s$, a link and shifts $\theta$."""

    rows: np.ndarray
    target: np.ndarray
    log_shape: np.ndarray
    link: Link
    shift: np.ndarray | None = None

    def sweep(self, levels: Sequence[float]) -> Iterator[DualPoint]:
        """The solution at each of the decreasing levels, by one continuation from the lazy limit down."""
        point, step, left = self._lazy(levels[0]), 1.0, _BUDGET
        for goal in levels:
            while point.level > goal:
                left -= 1
                start = self._lowered(point, max(goal, point.level - step) if left > 0 else goal)
                after, used = self._settled(start)
                if after is None and step > _SHORTEST and left > 0:
                    step /= 3
                    continue
                point = start if after is None else after
                step = float(np.clip(step * (2.5 if used <= 3 else 1.3 if used <= 5 else 0.7), _SHORTEST, _LONGEST))
            point = self._finished(point)
            yield point if self.shift is None else self._shifted(point, self.shift)

    def slope(self, point: DualPoint) -> np.ndarray:
        r"""$S = d\beta/dp$ over its largest entry."""
        logs = self.link.log_slope(np.abs(point.sigma)) + self.log_shape
        return np.exp(logs - logs.max())

    @_ALLOWED
    def doubt(self, point: DualPoint) -> float:
        r"""The residual of the conditions: the larger of $\|r\|$ and $\|Se\|/\|\beta\|$.

        Where $Se$ is no small part of the solution, what the solution is at the price it should have counts instead.
        """
        size = max(float(np.linalg.norm(point.effective)), 1e-300 if self.target.any() else 1.0)
        error = self.slope(point) * point.error
        far = np.abs(error) > 0.5 * np.abs(point.effective)
        if far.any():
            sigma = self.link.raised(point.sigma, point.error, point.unit)[far]
            implied = self.link.value(sigma, point.level + self.log_shape[far]) - point.effective[far]
            error[far] = np.clip(implied, -_FAR * size, _FAR * size)
        return float(max(np.linalg.norm(self.target - self.rows @ point.effective), np.linalg.norm(error) / size))

    def duals(self, point: DualPoint) -> list[np.ndarray]:
        r"""$\nu$ as summed up on the way, and fitted to the prices by least squares weighted by $S$."""
        fits, solver = [point.nu], WeightedRows(self.rows, self.slope(point))
        prices = self.link.price(point.sigma) - (0.0 if self.shift is None else self.shift)
        for _ in range(2):
            fits.append(fits[-1] + solver.solve(np.zeros_like(point.nu), fits[-1] @ self.rows - prices)[0])
        return fits

    def _lazy(self, level: float) -> DualPoint:
        r"""The quadratic limit at the level asked for, or at the lowest where $|p| \le 1/2$, whichever is higher."""
        quadratic = self.link.stiffness * np.exp(self.log_shape)
        most = quadratic.max()
        nu, solution = WeightedRows(self.rows, quadratic / most).solve(self.target)
        price = float(np.abs(solution / quadratic).max())
        level = max(level, float(np.log(2 * price))) if price > 0 else level
        sigma = self.link.at_price(solution / quadratic * np.exp(-level))
        zeros, none = np.zeros_like(solution), np.zeros_like(solution, dtype=bool)
        start = DualPoint(level, solution, sigma, nu / most * np.exp(-level), zeros, 0.0, none)
        return self._placed(start, self.link.value(sigma, level + self.log_shape), sigma, zeros)

    @_ALLOWED
    def _lowered(self, point: DualPoint, level: float) -> DualPoint:
        r"""A lower level with the values of before, or the prices where the exact path changes values by more.

        Along it $-d\beta/d\ell = SR^\top(RSR^\top)^{-1}b - \beta$.
        """
        log_c, before = level + self.log_shape, point.effective
        path = WeightedRows(self.rows, self.slope(point)).solve(self.target)[1] - before
        off = np.abs(path) >= 0.5 * np.abs(before)  # equal where both have underflowed
        sigma = np.where(off, point.sigma, self.link.sigma(before, log_c))
        solution = np.where(off, self.link.value(point.sigma, log_c), before)
        error = point.error - self.link.rise(point.sigma, sigma, point.unit)
        return self._tied(self._placed(replace(point, level=level, off=off), solution, sigma, error))

    def _shifted(self, point: DualPoint, shift: np.ndarray) -> DualPoint:
        r"""The solution with the shifts, from that without, by continuation in a factor before them.

        What part of the shifts is $R^\top\mu$ changes no value and joins $\nu$ at once.
        """
        weights = np.exp(self.log_shape - self.log_shape.max())
        mu = WeightedRows(self.rows, weights).solve(np.zeros_like(self.target), shift)[0]
        left, step = 1.0, 1.0
        point, rest = replace(point, nu=point.nu + mu), shift + mu @ self.rows
        while left > 0:
            share = min(step, left)
            start = replace(point, error=point.error + share * rest * np.exp(point.unit))
            after, used = self._settled(start)
            if after is None and step > _FINEST:
                step /= 3
                continue
            point, left = start if after is None else after, left - share
            step = step if used > 4 else 2 * step
        return self._finished(point)

    def _tied(self, point: DualPoint) -> DualPoint:
        r"""The point with $e$ read anew where the support is tied: more coordinates than independent columns.

        There some dual gives the support its signs exactly, so that what prices lack to one must itself be $R^\top$ of
        something: what is not, is the error. The rest of $e$ on the support goes into $\nu$. Otherwise the rounding of
        earlier, larger lacks would decide between solutions of the same l1 norm.
        """
        on = self.link.room(point.sigma, 0.0) < _SURE
        if not on.any() or not tied(self.rows[:, on], np.sign(point.sigma[on])):
            return point
        lack, columns = np.sign(point.sigma[on]) * self.link.room(point.sigma[on], point.unit), self.rows[:, on]
        fit = np.linalg.lstsq(columns.T, np.stack([lack, point.error[on]], axis=1), rcond=_EXACT)[0]
        error = point.error - fit[:, 1] @ self.rows
        error[on] = lack - fit[:, 0] @ columns
        return replace(point, error=error, nu=point.nu - fit[:, 1] * np.exp(-point.unit))

    def _settled(self, point: DualPoint) -> tuple[DualPoint | None, int]:
        """Newton until the conditions are nearly met, and its steps; None when it is lost or takes too long."""
        for used in range(1, _PATIENCE + 1):
            point = self._improved(point)
            doubt = self.doubt(point)
            if not doubt < _LOST:
                return None, used
            if doubt <= _NEAR:
                return point, used
        return None, _PATIENCE

    def _finished(self, point: DualPoint) -> DualPoint:
        """Newton until the conditions are met to rounding or no better; the best point on the way."""
        point = self._tied(point)
        best, least, idle = point, self.doubt(point), 0
        for _ in range(_MOST):
            point = self._improved(point)
            doubt = self.doubt(point)
            if not np.isfinite(doubt):
                break
            idle = 0 if doubt < least / 2 else idle + 1
            best, least = (point, doubt) if doubt < least else (best, least)
            if idle > (0 if least < _EXACT else 3):
                break
        return best

    @_ALLOWED
    def _improved(self, point: DualPoint) -> DualPoint:
        """One step of Newton."""
        mu, change, rise = self._direction(point)
        share, priced = self._feasible(point, change, rise)
        log_c, moved = point.level + self.log_shape, point.effective + share * change
        by_price = self.link.value(priced, log_c)
        faint = point.off & (np.abs(by_price) <= _FAINT * np.abs(moved).max())
        alike = np.abs(by_price - moved) <= 0.5 * np.abs(moved)
        use = np.isfinite(priced) & (faint | alike | (by_price * moved <= 0))
        solution = np.where(use, by_price, moved)
        sigma = np.where(use, priced, self.link.sigma(solution, log_c))
        curved = np.where(use, 0.0, share * rise - self.link.rise(point.sigma, sigma, point.unit))
        nu = point.nu + share * mu * np.exp(-point.unit)
        return self._placed(replace(point, nu=nu), solution, sigma, (1 - share) * point.error + curved)

    def _direction(self, point: DualPoint) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        r"""Newton's changes of $\nu$, of the values and of the prices; the first and the last in units of $e^{-u}$."""
        slope = self.slope(point)
        mu, change = WeightedRows(self.rows, slope).solve(self.target - self.rows @ point.effective, point.error)
        heavy = slope > 1e-25  # there the change of the values has more digits than that of the prices
        return mu, change, np.where(heavy, change / np.where(heavy, slope, 1.0), point.error + mu @ self.rows)

    def _feasible(self, point: DualPoint, change: np.ndarray, rise: np.ndarray) -> tuple[float, np.ndarray]:
        r"""The share of the step that leaves faint coordinates within the range of prices, and every $\sigma$ after it."""
        moved, share = np.abs(point.effective + change), 1.0
        faint = point.off & (moved <= _FAINT * moved.max())
        priced = self.link.raised(point.sigma, rise, point.unit)
        while not np.isfinite(priced[faint]).all() and share > 1e-12:
            share /= 2
            priced = self.link.raised(point.sigma, share * rise, point.unit)
        return share, priced

    def _placed(self, point: DualPoint, solution: np.ndarray, sigma: np.ndarray, error: np.ndarray) -> DualPoint:
        """The point with these numbers, its error brought to the unit of its own slope."""
        unit = float((self.link.log_slope(np.abs(sigma)) + self.log_shape).max()) + point.level
        return replace(point, effective=solution, sigma=sigma, error=error * np.exp(unit - point.unit), unit=unit)


def tied(columns: np.ndarray, signs: np.ndarray) -> bool:
    """Whether dependent columns have signs that a dual can still give them, to rounding."""
    left, sizes, right = np.linalg.svd(columns, full_matrices=False)
    rank = int((sizes > _EXACT * sizes[0]).sum())
    return rank < signs.size and bool(np.abs(signs - (signs @ right[:rank].T) @ right[:rank]).max() < _EXACT * 10)
