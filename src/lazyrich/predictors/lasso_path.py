r"""The lasso path of a weighted, possibly ridged, least squares problem, piece by piece in the penalty."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

# A column whose length outside the span of the support is below this share of its own depends on them.
_DEPENDENT = 1e-11
# Correlations that keep their distance from the bound to this share of it, per unit of the penalty, never meet it.
_PARALLEL = 1e-11
# A meeting in the last such share of the way down belongs to the end, where all correlations vanish together.
_LAST = 1e-10
# What is left of the correlations where the way down is straight, over the first ones: the support fits all of the target.
_EXACT = 1e-13
# Prices on the support are their weights up to this share, or the support's Gram matrix is inverted anew.
_DRIFT = 1e-10
# Steps of no length in a row after which the ties are taken to go round in a circle.
_STILL = 200
# Steps after which correlations are computed from the data again.
_REFRESH = 16


@dataclass(frozen=True, eq=False)
class Piece:
    r"""$b_S(\lambda) = $ `corner` $ + ($ `high` $ - \lambda)\,$`slope` for penalties from `high` down to `low`; zeros elsewhere.

    `fit` is $A_S\cdot$`slope`: where $\rho = 0$, the residual's part in the span of the support is $\lambda\cdot$`fit`.
    """

    high: float
    low: float
    support: np.ndarray
    signs: np.ndarray
    corner: np.ndarray
    slope: np.ndarray
    fit: np.ndarray

    def answer(self, penalty: float, dim: int) -> np.ndarray:
        """The minimizer at a penalty of this piece."""
        full = np.zeros(dim)
        full[self.support] = self.corner + (self.high - penalty) * self.slope
        return full


class _Support:
    """The columns in use, their signs and values, and the inverse of their Gram matrix, in buffers that are filled in turn."""

    def __init__(self, a: np.ndarray, weights: np.ndarray, ridge: np.ndarray):
        most = a.shape[1] if ridge.any() else min(a.shape)
        self.a, self.weights, self.ridge, self.size = a, weights, ridge, 0
        self._columns, self._signs, self._values = np.zeros(most, int), np.zeros(most), np.zeros(most)
        self._used, self._inverse = np.zeros((most, a.shape[0])), np.zeros((most, most))
        self.per_weight = a / weights

    @property
    def columns(self) -> np.ndarray:
        return self._columns[: self.size]

    @property
    def signs(self) -> np.ndarray:
        return self._signs[: self.size]

    @property
    def values(self) -> np.ndarray:
        return self._values[: self.size]

    @property
    def used(self) -> np.ndarray:
        return self._used[: self.size]

    @property
    def inverse(self) -> np.ndarray:
        return self._inverse[: self.size, : self.size]

    def join(self, column: int, sign: float) -> bool:
        """Take a column in at value zero; False if it depends on those in use."""
        if self.size == self._columns.size:
            return False
        new, k = np.ascontiguousarray(self.a[:, column]), self.size
        across = self.used @ new
        mixed = self.inverse @ across
        size = new @ new + self.ridge[column]
        left = size - across @ mixed
        if left <= _DEPENDENT * size:
            return False
        self.inverse[...] += np.outer(mixed, mixed / left)
        self._inverse[k, :k] = self._inverse[:k, k] = -mixed / left
        self._inverse[k, k] = 1 / left
        self._used[k], self._columns[k], self._signs[k], self._values[k] = new, column, sign, 0.0
        self.size += 1
        return True

    def drop(self, place: int) -> None:
        """Let a column go: the last one takes its place."""
        part, last = self.inverse[:, place].copy(), self.size - 1
        self.inverse[...] -= np.outer(part, part / part[place])
        for line in (self._inverse, self._inverse.T, self._used, self._columns, self._signs, self._values):
            line[place] = line[last]
        self.size -= 1

    def move(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Slopes, fit and prices over weights as the penalty falls; the inverse is renewed when it has drifted."""
        weights, ridge = self.weights[self.columns], self.ridge[self.columns]
        for _ in range(2):
            slope = self.inverse @ (self.signs * weights)
            fit = slope @ self.used
            prices = fit @ self.per_weight
            prices[self.columns] += ridge * slope / weights
            if (np.abs(prices[self.columns] - self.signs) <= _DRIFT).all():
                break
            self.inverse[...] = np.linalg.pinv(self.used @ self.used.T + np.diag(ridge), hermitian=True)
        prices[self.columns] = self.signs
        return slope, fit, prices

    def correlations(self, target: np.ndarray) -> np.ndarray:
        """Those of the columns with the residual, over their weights."""
        found = (target - self.values @ self.used) @ self.per_weight
        found[self.columns] -= self.ridge[self.columns] * self.values / self.weights[self.columns]
        return found


def lasso_path(
    a: np.ndarray, target: np.ndarray, weights: np.ndarray, *, ridge: np.ndarray | None = None
) -> Iterator[Piece]:
    r"""$\min_b \tfrac12\|Ab - t\|^2 + \tfrac12\sum_i\rho_i b_i^2 + \lambda\sum_i\omega_i|b_i|$ for all $\lambda$.

    Pieces come from the least penalty with answer zero down to none; they end early where there is no going on.
    Columns join when their correlation meets the bound and leave when their value meets zero; ties are taken one
    by one in steps of no length. The caller certifies what it takes from a piece.
    Assumes: columns of length about one, positive weights (infinite for columns to leave out).
    """
    ridge = np.zeros(a.shape[1]) if ridge is None else ridge
    support = _Support(a, weights, ridge)
    correlations = support.correlations(target)
    first = int(np.argmax(np.abs(correlations)))
    penalty = abs(float(correlations[first]))
    if not penalty > 0 or not support.join(first, np.sign(correlations[first])):
        return
    bounded = np.where(np.isfinite(weights), weights, 0.0)
    floor = _EXACT * np.abs(correlations * bounded).max()
    barred: set[int] = set()
    still = 0
    for step in range(1, 20 * sum(a.shape)):
        slope, fit, prices = support.move()
        straight = not ridge.any() and np.abs((correlations - penalty * prices) * bounded).max() <= floor
        ahead, column, sign = (np.inf, -1, 0.0) if straight else _next_join(correlations, prices, penalty, barred)
        back, place = _next_drop(support, slope)
        length = min(ahead, back, penalty)
        length = penalty if length > (1 - _LAST) * penalty else length
        yield Piece(
            penalty,
            penalty - length,
            support.columns.copy(),
            support.signs.copy(),
            support.values.copy(),
            slope,
            fit,
        )
        penalty, still = penalty - length, 0 if length > 0 else still + 1
        if penalty <= 0 or still > _STILL:
            return
        support.values[...] += length * slope
        correlations -= length * prices
        if back <= ahead:
            support.drop(place)
        elif not support.join(column, sign):
            barred.add(column)
            continue
        barred.clear()
        if step % _REFRESH == 0:
            correlations = support.correlations(target)
        if support.size == 0:
            return


def _next_join(
    correlations: np.ndarray, prices: np.ndarray, penalty: float, barred: set[int]
) -> tuple[float, int, float]:
    """How far the penalty falls until a correlation off the support meets its bound; which one, with which sign.

    On the support correlations and bounds fall together, so they never meet.
    """
    best = (np.inf, -1, 0.0)
    for sign in (1.0, -1.0):
        closing = 1 - sign * prices
        length = (penalty - sign * correlations) / np.maximum(closing, _PARALLEL)
        length[closing <= _PARALLEL] = np.inf
        length[list(barred)] = np.inf
        nearest = int(np.argmin(length))
        best = min(best, (max(float(length[nearest]), 0.0), nearest, sign))
    return best


def _next_drop(support: _Support, slope: np.ndarray) -> tuple[float, int]:
    """How far the penalty falls until a value on the support meets zero and would change its sign; its place."""
    toward = support.signs * slope < 0
    length = np.divide(np.abs(support.values), np.abs(slope), out=np.full_like(slope, np.inf), where=toward)
    place = int(np.argmin(length))
    return float(length[place]), place
