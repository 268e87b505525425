"""The minimizer of squared loss plus half the squared Euclidean norm."""

from dataclasses import dataclass

import numpy as np

from ..losses import Reduction, sample_weight
from .base import AbstractVectorPredictor, Reference
from .parts.arguments import require_reduction, require_strength
from .parts.graded import shortest
from .parts.linear_system import LinearSystem, column_sizes
from .parts.penalized import Penalized, in_units_of_answers, out_of_units

# A gap above this is not rounding: small singular values are lost beside large ones, and a finer method is asked.
_OPEN = 1e-10


@dataclass(frozen=True, eq=False)
class Ridge(AbstractVectorPredictor):
    r"""$\arg\min_\beta a\sum_i(\langle\beta, x_i\rangle - y_i)^2 + \tfrac{\lambda}2\|\beta\|_2^2$ $a$ the weight.

    Where a plain linear model with weight decay ends. `value` is that minimum, `dual` a $\theta$ with
    $\theta^\top y - \|\theta\|^2/(4a) - \|X^\top\theta\|^2/(2\lambda)$ near it (at the solution $2a$ times the residuals).
    Assumes: a positive strength; any number of samples, dependent ones too.
    Source: beyond_l2, section 2.
    """

    strength: float
    reduction: Reduction

    def __post_init__(self):
        """The strength must be positive and the reduction named."""
        require_reduction(self.reduction)
        object.__setattr__(self, "strength", require_strength("strength", self.strength, instead="MinL2()"))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The closed form in the singular values, which holds for every strength."""
        problem = Penalized(x, y, sample_weight(self.reduction, y.size), 0.0, self.strength)
        problem, unit = in_units_of_answers(problem)
        reference = _closed_form(problem)
        if reference.certificate.gap > _OPEN:
            graded = _augmented(problem)
            reference = graded if graded.certificate.gap < reference.certificate.gap else reference
        return out_of_units(reference, unit)


def _closed_form(problem: Penalized) -> Reference:
    r"""$\beta = V\,\mathrm{diag}\bigl(\tfrac{s}{s^2 + \rho}\bigr)U^\top y$, $\rho = \lambda/2a$.

    The residuals, and so the dual, come without a difference of near numbers.
    """
    left, sizes, right = np.linalg.svd(problem.x, full_matrices=False)
    root = np.sqrt(problem.l2 / 2 / problem.weight)
    # s/(s^2 + root^2) and root^2/(s^2 + root^2), at any ratio of the two.
    total = np.hypot(sizes, root)
    inside = left.T @ problem.y
    effective = right.T @ (sizes / total / total * inside)
    outside = problem.y - left @ inside
    outside -= left @ (left.T @ outside)
    residual = left @ ((root / total) ** 2 * inside) + outside
    return problem.certified(effective, [2 * problem.weight * residual, problem.residual_dual(effective)])


def _augmented(problem: Penalized) -> Reference:
    r"""The shortest $(\beta, e)$ with $X\beta + \sqrt\rho e = y$: the same, finer for columns of very different sizes."""
    root = np.sqrt(problem.l2 / 2 / problem.weight)
    whole = np.hstack([problem.x, root * np.eye(problem.y.size)])
    sizes = column_sizes(whole)
    system = LinearSystem.of(whole / sizes, problem.y)
    solution, _ = shortest(whole, problem.y, np.ones(sizes.size), sizes=sizes, system=system)
    effective, residual = solution[: problem.x.shape[1]], root * solution[problem.x.shape[1] :]
    return problem.certified(effective, [2 * problem.weight * residual, problem.residual_dual(effective)])
