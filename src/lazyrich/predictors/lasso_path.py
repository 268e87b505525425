r"""The lasso path of a weighted, possibly ridged, least squares problem, piece by piece in the penalty."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

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


@dataclass(frozen=True, eq=False)
class Piece:
    r"""$b_S(\lambda) = $ `corner` $ + ($ `high` $ - \lambda)\,$`slope` for penalties from `high` down to `low`; zeros elsewhere.

    `fit` is $A_S\cdot$`slope`: where $\rho = 0$, the residual's part in the span of the support is $\lambda\cdot$`fit`.
    `prices` are $A^\top$`fit` (plus $\rho\cdot$`slope` on the support).
    """

    high: float
    low: float
    support: np.ndarray
    signs: np.ndarray
    corner: np.ndarray
    slope: np.ndarray
    fit: np.ndarray
    prices: np.ndarray

    def answer(self, penalty: float, dim: int) -> np.ndarray:
        """The minimizer at a penalty of this piece."""
        full = np.zeros(dim)
        full[self.support] = self.corner + (self.high - penalty) * self.slope
        return full


@dataclass(eq=False)
class _Support:
    """The columns in use, their signs and values, and the inverse of their Gram matrix."""

    a: np.ndarray
    ridge: np.ndarray
    columns: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    signs: np.ndarray = field(default_factory=lambda: np.zeros(0))
    values: np.ndarray = field(default_factory=lambda: np.zeros(0))
    inverse: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    used: np.ndarray = field(init=False)

    def __post_init__(self):
        self.used = np.zeros((0, self.a.shape[0]))

    def join(self, column: int, sign: float) -> bool:
        """Take a column in at value zero; False if it depends on those in use."""
        new = np.ascontiguousarray(self.a[:, column])
        across = self.used @ new
        mixed = self.inverse @ across
        size = new @ new + self.ridge[column]
        left = size - across @ mixed
        if left <= _DEPENDENT * size:
            return False
        top = np.append(mixed, -1.0)
        grown = np.zeros((top.size, top.size))
        grown[:-1, :-1] = self.inverse
        self.inverse = grown + np.outer(top, top / left)
        self.used = np.vstack([self.used, new])
        self.columns = np.append(self.columns, column)
        self.signs, self.values = np.append(self.signs, sign), np.append(self.values, 0.0)
        return True

    def drop(self, place: int) -> None:
        """Let a column go."""
        part = self.inverse[:, place]
        kept = np.arange(part.size) != place
        self.inverse = (self.inverse - np.outer(part, part / part[place]))[np.ix_(kept, kept)]
        self.used = self.used[kept]
        self.columns, self.signs, self.values = self.columns[kept], self.signs[kept], self.values[kept]

    def move(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Slopes, fit and prices as the penalty falls; the inverse is renewed when it has drifted."""
        goal = self.signs * weights[self.columns]
        for _ in range(2):
            slope = self.inverse @ goal
            fit = slope @ self.used
            prices = fit @ self.a
            prices[self.columns] += self.ridge[self.columns] * slope
            if (np.abs(prices[self.columns] - goal) <= _DRIFT * np.abs(goal)).all():
                break
            gram = self.used @ self.used.T + np.diag(self.ridge[self.columns])
            self.inverse = np.linalg.pinv(gram, hermitian=True)
        return slope, fit, prices


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
    support, correlations = _Support(a, ridge), target @ a
    first = int(np.argmax(np.abs(correlations) / weights))
    penalty = abs(correlations[first]) / weights[first]
    if not penalty > 0 or not support.join(first, np.sign(correlations[first])):
        return
    barred: set[int] = set()
    still = 0
    for step in range(1, 20 * sum(a.shape)):
        slope, fit, prices = support.move(weights)
        straight = not ridge.any() and _spanned(support, target, penalty * slope)
        ahead, column, sign = np.inf, -1, 0.0
        if not straight:
            ahead, column, sign = _next_join(correlations, prices, penalty, weights, support, barred)
        back, place = _next_drop(support, slope)
        length = min(ahead, back, penalty)
        length = penalty if length > (1 - _LAST) * penalty else max(length, 0.0)
        yield Piece(penalty, penalty - length, support.columns, support.signs, support.values, slope, fit, prices)
        penalty, still = penalty - length, 0 if length > 0 else still + 1
        if penalty <= 0 or still > _STILL:
            return
        support.values = support.values + length * slope
        correlations = correlations - length * prices
        if back <= ahead:
            support.drop(place)
        elif not support.join(column, sign):
            barred.add(column)
            continue
        barred.clear()
        if step % _REFRESH == 0:
            correlations = (target - support.values @ support.used) @ a
            correlations[support.columns] -= ridge[support.columns] * support.values
        if not support.columns.size:
            return


def _spanned(support: _Support, target: np.ndarray, left: np.ndarray) -> bool:
    """Whether the support fits the target exactly, with this left to go: then all correlations vanish together."""
    missed = target - (support.values + left) @ support.used
    return bool(np.linalg.norm(missed) <= _EXACT * np.linalg.norm(target))


def _next_join(
    correlations: np.ndarray,
    prices: np.ndarray,
    penalty: float,
    weights: np.ndarray,
    support: _Support,
    barred: set[int],
) -> tuple[float, int, float]:
    """How far the penalty falls until a correlation outside the support meets its bound; which one, with which sign."""
    shut = np.concatenate([support.columns, list(barred)]).astype(int)
    best = (np.inf, -1, 0.0)
    for sign in (1.0, -1.0):
        closing = weights - sign * prices
        closing[shut] = 0.0
        meets = np.flatnonzero(closing > _PARALLEL * weights)
        if meets.size:
            room = penalty * weights[meets] - sign * correlations[meets]
            length = np.maximum(room, 0.0) / closing[meets]
            nearest = int(np.argmin(length))
            best = min(best, (float(length[nearest]), int(meets[nearest]), sign))
    return best


def _next_drop(support: _Support, slope: np.ndarray) -> tuple[float, int]:
    """How far the penalty falls until a value on the support meets zero and would change its sign; its place."""
    toward = support.signs * slope < 0
    length = np.divide(np.abs(support.values), np.abs(slope), out=np.full_like(slope, np.inf), where=toward)
    place = int(np.argmin(length))
    return float(length[place]), place
