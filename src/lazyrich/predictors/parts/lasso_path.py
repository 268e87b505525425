r"""The lasso path of a weighted, possibly ridged, least squares problem, piece by piece in the penalty."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

# A column whose length outside the span of the support is below this share of its own depends on them.
_DEPENDENT = 1e-11
# Correlations that keep their distance from the bound to this share of it, per unit of the penalty, never meet it.
_PARALLEL = 1e-11
# A meeting in the last such share of the way down belongs to the end, where all correlations vanish together.
_LAST = 1e-10
# What the support leaves of the target, over its size, when it fits all of it up to rounding.
_EXACT = 1e-13
# Prices on the support are their weights up to this share, or the support's Gram matrix is inverted anew.
_DRIFT = 1e-10
# Steps of no length in a row after which the ties are taken to go round in a circle.
_STILL = 200
# Steps after which correlations are computed from the data again.
_REFRESH = 16
# Below this share of the first penalty correlations are small differences: they are computed without one at every step.
_DEEP = 1e-4


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

    def solution(self, penalty: float, dim: int) -> np.ndarray:
        """The minimizer at a penalty of this piece."""
        full = np.zeros(dim)
        full[self.support] = self.corner + (self.high - penalty) * self.slope
        return full


class _Support:
    """The columns in use, their signs and values, and the inverse of their Gram matrix, in buffers that are filled in turn."""

    def __init__(self, a: np.ndarray, weights: np.ndarray, ridge: np.ndarray, *, careful: bool):
        most = a.shape[1] if ridge.any() else min(a.shape)
        self.careful = careful
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
        self._used[k], self._columns[k], self._signs[k], self._values[k] = new, column, sign, 0.0
        if self.careful:
            self.size += 1
            apart = bool(abs(self.factored()[1][-1, -1]) > _DEPENDENT)
            self.size -= not apart
            return apart
        across = self.used @ new
        mixed = self.inverse @ across
        size = new @ new + self.ridge[column]
        left = size - across @ mixed
        if left <= _DEPENDENT * size:
            return False
        self.inverse[...] += np.outer(mixed, mixed / left)
        self._inverse[k, :k] = self._inverse[:k, k] = -mixed / left
        self._inverse[k, k] = 1 / left
        self.size += 1
        return True

    def factored(self) -> tuple[np.ndarray, np.ndarray]:
        """The QR factorization of the columns in use."""
        return np.linalg.qr(self.used.T)

    def drop(self, place: int) -> None:
        """Let a column go: the last one takes its place."""
        part, last = self.inverse[:, place].copy(), self.size - 1
        if not self.careful:
            self.inverse[...] -= np.outer(part, part / part[place])
        for line in (self._inverse, self._inverse.T, self._used, self._columns, self._signs, self._values):
            line[place] = line[last]
        self.size -= 1

    def move(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Slopes, fit and prices over weights as the penalty falls."""
        weights, ridge = self.weights[self.columns], self.ridge[self.columns]
        goal = self.signs * weights
        for _ in range(2):
            slope, fit = self._factored_move(goal) if self.careful else self._quick_move(goal)
            prices = fit @ self.per_weight
            prices[self.columns] += ridge * slope / weights
            if self.careful or (np.abs(prices[self.columns] - self.signs) <= _DRIFT).all():
                break
            # The inverse has drifted.
            self.inverse[...] = np.linalg.pinv(self.used @ self.used.T + np.diag(ridge), hermitian=True)
        prices[self.columns] = self.signs
        return slope, fit, prices

    def _quick_move(self, goal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        slope = self.inverse @ goal
        return slope, slope @ self.used

    def _factored_move(self, goal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        frame, triangle = self.factored()
        push = solve_triangular(triangle, goal, trans=1)
        return solve_triangular(triangle, push), frame @ push

    def correlations(self, target: np.ndarray) -> np.ndarray:
        """Those of the columns with the residual, over their weights."""
        found = (target - self.values @ self.used) @ self.per_weight
        found[self.columns] -= self.ridge[self.columns] * self.values / self.weights[self.columns]
        return found

    def outside(self, target: np.ndarray) -> np.ndarray:
        """What the support leaves of the target, projected twice; zeros where that is rounding. Without a ridge."""
        left = target
        frame = self.factored()[0] if self.careful else None
        for _ in range(2):
            across = self.used @ left if frame is None else frame.T @ left
            left = left - ((self.inverse @ across) @ self.used if frame is None else frame @ across)
        return left if np.linalg.norm(left) > _EXACT * np.linalg.norm(target) else np.zeros_like(target)


def lasso_path(
    a: np.ndarray, target: np.ndarray, weights: np.ndarray, *, ridge: np.ndarray | None = None, careful: bool = False
) -> Iterator[Piece]:
    r"""$\min_b \tfrac12\|Ab - t\|^2 + \tfrac12\sum_i\rho_i b_i^2 + \lambda\sum_i\omega_i|b_i|$ for all $\lambda$.

    Pieces come from the least penalty with solution zero down to none; they end early where there is no going on.
    Columns join when their correlation meets the bound and leave when their value meets zero; ties are taken one
    by one in steps of no length. `careful` factors the support anew at every step, for columns that are nearly
    dependent (a ridge must then be rows of $A$). The caller certifies what it takes from a piece.
    Assumes: columns of length about one, positive weights (infinite for columns to leave out).
    """
    ridge = np.zeros(a.shape[1]) if ridge is None else ridge
    support = _Support(a, weights, ridge, careful=careful)
    correlations = support.correlations(target)
    first = int(np.argmax(np.abs(correlations)))
    penalty = abs(float(correlations[first]))
    if not penalty > 0 or not support.join(first, np.sign(correlations[first])):
        return
    barred: set[int] = set()
    still, deep, straight = 0, _DEEP * penalty, False
    for step in range(1, 20 * sum(a.shape)):
        slope, fit, prices = support.move()
        if (step % _REFRESH == 0 or penalty < deep or support.size == a.shape[0]) and not ridge.any():
            outside = support.outside(target)
            straight = not outside.any()
            correlations = penalty * prices + outside @ support.per_weight
        elif step % _REFRESH == 0:
            correlations = support.correlations(target)
        ahead, column, sign = (np.inf, -1, 0.0) if straight else _next_join(correlations, prices, penalty, barred)
        back, place = _next_drop(support, slope)
        length = min(ahead, back, penalty)
        length = penalty if length > (1 - _LAST) * penalty else length
        yield Piece(penalty, penalty - length, support.columns.copy(), support.signs.copy(), support.values.copy(), slope, fit)
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
        straight = False
        if support.size == 0:
            return


def _next_join(correlations: np.ndarray, prices: np.ndarray, penalty: float, barred: set[int]) -> tuple[float, int, float]:
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
