r"""Least separable entropy, $\min\sum_i c_i\varphi(w_i\beta_i/c_i) - \theta_i\beta_i$ subject to $X\beta = y$, at many levels.

One form for diagonal nets of depth 2 ($w = 1$, $c = \alpha^2w_0^2$), of depth $D \ge 3$ ($w = w_0^{2-D}$,
$c = \alpha^Dw_0^2$), for the distance to the initialization ($\varphi = q_4$) and for initializations off zero ($\theta \ne 0$).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...numerics.entropy_links import Link
from ..base import Reference
from .entropy_certificate import Entropies
from .entropy_dual import DualPoint, EntropyDual
from .linear_system import LinearSystem, no_answer, zero_answer
from .weighted_rows import WeightedRows


@dataclass(frozen=True)
class SeparableEntropy:
    r"""The family $c = e^\ell s$ of problems, by its link, $w$, $\log s$ and $\theta$ (zero if not given)."""

    link: Link
    weights: np.ndarray
    log_shape: np.ndarray
    shift: np.ndarray | None = None

    def at(self, level: float) -> Entropies:
        """What is minimized at one level."""
        shift = np.zeros_like(self.weights) if self.shift is None else self.shift
        return Entropies(self.link, self.weights, level + self.log_shape, shift)

    def solve(self, x: np.ndarray, y: np.ndarray, levels: Sequence[float]) -> list[Reference]:
        r"""The references at these levels, in the order given, by one sweep from the highest to the lowest.

        Solutions scale with the data, so the dual is solved for a target of length one. Its rows $R$ make
        $R\,\mathrm{diag}(s)R^\top$ the identity: the lazy limit is perfectly conditioned for every shape.
        """
        system = self._system(x, y)
        if system.proof is not None:
            return [no_answer(x.shape[1], LinearSystem.of(x, y).proof)] * len(levels)
        size = float(np.linalg.norm(system.target))
        if size == 0 and self.shift is None:
            return [zero_answer(x, y)] * len(levels)
        size = size if size > 0 else float(np.exp(max(levels) + self.log_shape.max()))
        dual = EntropyDual(self._rows(system), system.target / size, self.log_shape, self.link, self.shift)
        order = sorted(range(len(levels)), key=lambda i: -levels[i])
        reference: dict[int, Reference] = {}

        def residual(solution: np.ndarray) -> np.ndarray:
            return system.lift.T @ (y / size - x @ (solution / self.weights))

        for i, point in zip(order, dual.sweep([levels[i] - float(np.log(size)) for i in order]), strict=True):
            solution = size * _projected(dual, point, residual) / self.weights
            duals = [system.lift @ nu for nu in dual.duals(point)]
            reference[i] = self.at(levels[i]).reference(x, y, solution, duals)
        return [reference[i] for i in range(len(levels))]

    def stationarity(self, x: np.ndarray, y: np.ndarray, effective: np.ndarray, level: float) -> float:
        """The first-order distance of a point that meets the equations to the minimizer, relative."""
        return self.at(level).stationarity(self._rows(self._system(x, y)), effective)

    def _system(self, x: np.ndarray, y: np.ndarray) -> LinearSystem:
        r"""The equations in $w\beta/\sqrt s$."""
        return LinearSystem.of(x / self.weights * np.exp(self.log_shape / 2), y)

    def _rows(self, system: LinearSystem) -> np.ndarray:
        r"""Their rows in $w\beta$."""
        return system.rows * np.exp(-self.log_shape / 2)


def _projected(dual: EntropyDual, point: DualPoint, residual: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    r"""The solution moved onto the equations along $SR^\top$, the direction that costs least entropy.

    `residual` gives that of $R\beta = b$, read from the data as given. A step that does not bring
    it nearer is not taken: where the curvature is singular to rounding, it would be noise.
    """
    solution, left = point.effective, residual(point.effective)
    for _ in range(2):
        moved = solution + WeightedRows(dual.rows, dual.slope(point)).solve(left)[1]
        after = residual(moved)
        if not np.linalg.norm(after) < np.linalg.norm(left):
            break
        solution, left = moved, after
    return solution
