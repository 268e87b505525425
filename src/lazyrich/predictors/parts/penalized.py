r"""$a\sum_i(f_i - y_i)^2 + l_1\|\beta\|_1 + \tfrac{l_2}2\|\beta\|_2^2$: its value, its dual, and the certificate they make."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..base import Certificate, Reference
from .linear_system import relative_gap, unit_of


@dataclass(frozen=True, eq=False)
class Penalized:
    r"""The problem: inputs $X$, targets $y$, the reduction's weight $a$ and the strengths $l_1, l_2 \ge 0$, not both zero.

    Every $\theta$ bounds it below by $\theta^\top y - \|\theta\|^2/(4a) - \sum_j(|X_j^\top\theta| - l_1)_+^2/(2l_2)$,
    where the last sum must vanish if $l_2 = 0$.
    """

    x: np.ndarray
    y: np.ndarray
    weight: float
    l1: float
    l2: float

    def value(self, effective: np.ndarray) -> float:
        """The minimized quantity."""
        residual = self.x @ effective - self.y
        size = self.l1 * np.abs(effective).sum() + self.l2 / 2 * (effective @ effective)
        return float(self.weight * (residual @ residual) + size)

    def proven(self, dual: np.ndarray) -> tuple[float, np.ndarray]:
        r"""What a dual proves the value to be at least, as it is or scaled down to $|X^\top\theta| \le l_1$: the better one."""
        prices = np.abs(dual @ self.x)
        share = min(1.0, self.l1 / float(prices.max())) if prices.any() else 1.0
        bound, best = self._bound(share * dual, 0.0), share * dual
        if self.l2 > 0:
            over = np.maximum(prices - self.l1, 0.0)
            plain = self._bound(dual, float(over @ over) / (2 * self.l2))
            bound, best = (plain, dual) if plain > bound else (bound, best)
        return bound, best

    def _bound(self, dual: np.ndarray, penalty: float) -> float:
        return float(dual @ self.y - dual @ dual / (4 * self.weight)) - penalty

    def certified(self, effective: np.ndarray, duals: Iterable[np.ndarray]) -> Reference:
        """The solution with the best of the duals."""
        bound, best = max((self.proven(dual) for dual in duals), key=lambda proof: proof[0])
        value = self.value(effective)
        return Reference(effective, value, Certificate(0.0, relative_gap(bound, value)), best)

    def residual_dual(self, effective: np.ndarray) -> np.ndarray:
        r"""$\theta = 2a(y - X\beta)$, the best one at the best solution."""
        return 2 * self.weight * (self.y - self.x @ effective)


def in_units_of_answers(problem: Penalized) -> tuple[Penalized, float]:
    """The problem with targets of size one, and the unit they were divided by: values are in its square."""
    unit = unit_of(problem.y)
    return replace(problem, y=problem.y / unit, l1=problem.l1 / unit), unit


def out_of_units(reference: Reference, unit: float) -> Reference:
    """The solution in the units of the data; not ok where its value is no finite number."""
    value = reference.value * unit * unit
    dual = None if reference.dual is None else reference.dual * unit
    certificate = reference.certificate if np.isfinite(value) else Certificate(0.0, float("inf"))
    return replace(reference, effective=reference.effective * unit, value=value, dual=dual, certificate=certificate)
