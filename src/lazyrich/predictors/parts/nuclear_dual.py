r"""Least nuclear norm through its dual, $\max_\nu b^\top\nu - \frac12\nu^\top R\nu$ with $\|V^*(\nu)\|_{op}\le1$.

Two methods take turns, each with one singular value decomposition a step. Alternating directions on
$V^*(\nu) = W$, $\|W\|_{op}\le1$, whose multiplier is the matrix $M$, are cheap and steady. Proximal points, found by
Newton, close the gap in a few steps where the rank is settled; where it is not, they give the turn back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...numerics.shrinkage import Shrunk
from .nuclear_problem import Iterate, NuclearProblem
from .proximal_point import ProximalPoint

# A gap that ends the search, and one that ends it after the patient turns.
_CLOSED, _ENOUGH = 1e-10, 2e-7
_PATIENT, _TURNS = 5, 40
# Steps of alternating directions in the first turn, how they grow, and their most.
_STEPS, _GROWTH, _MOST_STEPS = 20, 5, 600
# The length of a multiplier's step: below the golden ratio it converges.
_OVER = 1.618
# Where the two residuals differ by more than the first, the weight moves by the second.
_UNEVEN, _SHIFT = 3.0, 1.5
# Proximal points a turn, how the weight grows between them, and steps of Newton for one.
_POINTS, _HEAVIER, _NEWTON = 15, 8.0, 8


@dataclass(frozen=True, eq=False)
class NuclearDual:
    """The search for the matrix and the dual of a problem, until the relative gap is closed."""

    problem: NuclearProblem
    closed: float = _CLOSED

    def solve(self) -> Iterate:
        """The point of the smallest gap met."""
        gap, best = np.inf, self.problem.first()
        for turn, point in self._search():
            found = self.problem.gap(point.matrix, point.dual)
            if found < gap:
                gap, best = found, point
            if gap <= (self.closed if turn < _PATIENT else max(self.closed, _ENOUGH)):
                break
        return best

    def _search(self) -> Iterator[tuple[int, Iterate]]:
        """Points of both methods in turns: where proximal points are lost, alternating directions go on from there."""
        point, steps = self.problem.first(), _STEPS
        yield 0, point
        for turn in range(_TURNS):
            point = self.alternated(point, steps)
            yield turn, point
            for other in self.proximal(point):
                yield turn, other
                point = replace(other, weight=point.weight)
            steps = min(_GROWTH * steps, _MOST_STEPS)

    def alternated(self, point: Iterate, steps: int) -> Iterate:
        """Alternating directions, the weight moved so that both residuals shrink alike."""
        problem, matrix, dual, weight = self.problem, point.matrix, point.dual, point.weight
        bound = Shrunk.of(problem.basis.spread(dual) + matrix / weight, 1.0).clipped
        every, uneven = 20 if steps <= _STEPS else 50, []
        for step in range(1, steps + 1):
            right = problem.target - problem.basis.read(matrix) + weight * problem.basis.read(bound)
            dual = right / (problem.ridge + weight)
            spread = problem.basis.spread(dual)
            bound = Shrunk.of(spread + matrix / weight, 1.0).clipped
            matrix = matrix + _OVER * weight * (spread - bound)
            uneven.append(self._unevenness(matrix, dual, spread - bound))
            if step % every == 0:
                mean, uneven = np.mean(uneven), []
                weight *= 1 / _SHIFT if mean > _UNEVEN else _SHIFT if mean < 1 / _UNEVEN else 1.0
        return Iterate(matrix, dual, weight)

    def _unevenness(self, matrix: np.ndarray, dual: np.ndarray, apart: np.ndarray) -> float:
        """The residual over how far the dual is from its bound."""
        residual = self.problem.length(self.problem.residual(matrix, dual))
        return residual / max(_outside(apart), 1e-300)

    def proximal(self, point: Iterate) -> Iterator[Iterate]:
        """Proximal points with a growing weight, until one is not found in the steps allowed."""
        for _ in range(_POINTS):
            point, found = self._next_point(point)
            yield point
            if not found:
                return
            point = replace(point, weight=_HEAVIER * point.weight)

    def _next_point(self, point: Iterate) -> tuple[Iterate, bool]:
        """The next proximal point, by Newton; whether it was found to a fifth of its distance."""
        at = ProximalPoint(self.problem, point).at(point.dual)
        for used in range(_NEWTON + 1):
            enough = 0.2 * _outside((at.shrunk.matrix - point.matrix) / point.weight)
            if at.length <= max(1e-13, min(enough, 1e-2)):
                return replace(point, matrix=at.shrunk.matrix, dual=at.dual), True
            after = at.improved() if used < _NEWTON else None
            if after is None:
                break
            at = after
        return replace(point, matrix=at.shrunk.matrix, dual=at.dual), False


def _outside(apart: np.ndarray) -> float:
    """The size of a matrix over that of the largest bound."""
    return float(np.linalg.norm(apart) / (1 + np.sqrt(min(apart.shape))))
