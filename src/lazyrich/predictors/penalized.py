r"""$a\sum_i(f_i - y_i)^2 + l_1\|\beta\|_1 + \tfrac{l_2}2\|\beta\|_2^2$: its value, its dual, and the certificate they make."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from .base import Certificate, Reference
from .linear_system import relative_gap, unit_of


@dataclass(frozen=True, eq=False)
class Penalized:
    r"""The problem: inputs $X$, answers $y$, the loss's factor $a$ and the strengths $l_1, l_2 \ge 0$, not both zero.

    Every $\theta$ bounds it below by $\theta^\top y - \|\theta\|^2/(4a) - \sum_j(|X_j^\top\theta| - l_1)_+^2/(2l_2)$,
    where the last sum must vanish if $l_2 = 0$.
    """

    x: np.ndarray
    y: np.ndarray
    factor: float
    l1: float
    l2: float

    def value(self, effective: np.ndarray) -> float:
        """The minimized quantity."""
        missed = self.x @ effective - self.y
        size = self.l1 * np.abs(effective).sum() + self.l2 / 2 * (effective @ effective)
        return float(self.factor * (missed @ missed) + size)

    def bound(self, dual: np.ndarray) -> float:
        """What a dual proves the value to be at least."""
        over = np.maximum(np.abs(dual @ self.x) - self.l1, 0.0)
        plain = float(dual @ self.y - dual @ dual / (4 * self.factor))
        if self.l2 > 0:
            return plain - float(over @ over) / (2 * self.l2)
        return plain if not over.any() else -float("inf")

    def shrunk(self, dual: np.ndarray) -> np.ndarray:
        r"""The dual scaled down until $|X^\top\theta| \le l_1$, exactly; as it is where $l_1 = 0$."""
        top = float(np.abs(dual @ self.x).max())
        if top <= self.l1 or self.l1 == 0:
            return dual
        smaller = dual * (self.l1 / top)
        # The product rounds: a few last digits may be left above.
        return smaller if np.abs(smaller @ self.x).max() <= self.l1 else smaller * (1 - 1e-15 * np.sqrt(dual.size))

    def certified(self, effective: np.ndarray, duals: Iterable[np.ndarray]) -> Reference:
        """The answer with the best of the duals, each as it is and scaled down."""
        candidates = [sized for dual in duals for sized in (dual, self.shrunk(dual))]
        best = max(candidates, key=self.bound)
        value = self.value(effective)
        return Reference(effective, value, Certificate(0.0, relative_gap(self.bound(best), value)), best)

    def residual_dual(self, effective: np.ndarray) -> np.ndarray:
        r"""$\theta = 2a(y - X\beta)$, the best one at the best answer."""
        return 2 * self.factor * (self.y - self.x @ effective)


def in_units_of_answers(problem: Penalized) -> tuple[Penalized, float]:
    """The problem with answers of size one, and the unit they were divided by: values are in its square."""
    unit = unit_of(problem.y)
    return replace(problem, y=problem.y / unit, l1=problem.l1 / unit), unit


def out_of_units(told: Reference, unit: float) -> Reference:
    """The answer in the units of the data; not ok where its value is no finite number."""
    value = told.value * unit * unit
    dual = None if told.dual is None else told.dual * unit
    certificate = told.certificate if np.isfinite(value) else Certificate(0.0, float("inf"))
    return replace(told, effective=told.effective * unit, value=value, dual=dual, certificate=certificate)
