r"""One proximal point of least nuclear norm, by Newton with conjugate gradients.

Smooth and convex: $\min_\nu \frac12\nu^\top R\nu - b^\top\nu + \frac1{2\sigma}\|N\|_F^2$ with $N$ the matrix
$M + \sigma V^*(\nu)$, its singular values shrunk by $\sigma$. The gradient is $R\nu - b + V(N)$;
at its zero $N$ is the next point.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.shrinkage import Shrunk
from .nuclear_problem import Iterate, NuclearProblem

# Conjugate gradients a step of Newton, and halvings of the step.
_GRADIENTS, _HALVINGS = 200, 8


@dataclass(frozen=True)
class ProximalPoint:
    """The smooth problem of one proximal point."""

    problem: NuclearProblem
    center: Iterate

    def at(self, dual: np.ndarray) -> "NewtonPoint":
        """Its value and its descent at a dual."""
        problem, weight = self.problem, self.center.weight
        shrunk = Shrunk.of(self.center.matrix + weight * problem.basis.spread(dual), weight)
        value = shrunk.kept @ shrunk.kept / (2 * weight) + dual @ (problem.ridge * dual / 2 - problem.target)
        residual = problem.residual(shrunk.matrix, dual)
        return NewtonPoint(self, dual, shrunk, float(value), residual)


@dataclass(frozen=True)
class NewtonPoint:
    """Where Newton stands: the dual, the shrunk matrix, the value and the steepest descent."""

    inner: ProximalPoint
    dual: np.ndarray
    shrunk: Shrunk
    value: float
    residual: np.ndarray

    @property
    def length(self) -> float:
        """The size of the descent, large ridges discounted."""
        return self.inner.problem.length(self.residual)

    def improved(self) -> "NewtonPoint | None":
        """The next point along Newton's direction: lower, or with half the descent left; None if there is none."""
        change, share = self._direction(), 1.0
        promise = float(self.residual @ change)
        for _ in range(_HALVINGS):
            after = self.inner.at(self.dual + share * change)
            if after.value <= self.value - 1e-4 * share * promise or after.length <= self.length / 2:
                return after
            share /= 2
        return None

    def _direction(self) -> np.ndarray:
        """Newton's direction by preconditioned conjugate gradients, damped by a share of the residual."""
        problem, weight, slopes = self.inner.problem, self.inner.center.weight, self.shrunk.slopes()
        damping = weight * min(1e-3, 0.1 * self.length)
        enough = min(5e-2, self.length**0.2) * self.length
        scale = 1 / (problem.ridge + weight)
        change, left = np.zeros_like(self.residual), self.residual
        along = scale * left
        size = left @ along
        for _ in range(_GRADIENTS):
            turned = problem.basis.read(self.shrunk.along(problem.basis.spread(along), slopes))
            curved = weight * turned + (problem.ridge + damping) * along
            share = size / (along @ curved)
            change, left = change + share * along, left - share * curved
            if problem.length(left) <= enough:
                break
            after = left @ (scale * left)
            along, size = scale * left + after / size * along, after
        return change
