"""The minimizer of squared loss plus the absolute norm."""

from dataclasses import dataclass

import numpy as np

from ..losses import Reduction, sample_weight
from .base import AbstractVectorPredictor, Reference
from .elastic_net import sparse_answer
from .parts.arguments import require_reduction, require_strength
from .parts.penalized import Penalized


@dataclass(frozen=True, eq=False)
class Lasso(AbstractVectorPredictor):
    r"""$\arg\min_\beta a\sum_i(\langle\beta, x_i\rangle - y_i)^2 + \lambda\|\beta\|_1$ with the reduction's weight $a$.

    Where a linear model with an absolute penalty ends, and a diagonal net of depth 2 with weight decay $\lambda$. `value` is
    that minimum, `dual` a $\theta$ with $|X^\top\theta| \le \lambda$ and $\theta^\top y - \|\theta\|^2/(4a)$ near it:
    $2a$ times the residuals. Zero from the strength $2a\|X^\top y\|_\infty$ on.
    Assumes: a positive strength. The solution is one of the minimizers where there are several; `notes` says when.
    Source: beyond_l2, section 3.
    """

    strength: float
    reduction: Reduction

    def __post_init__(self):
        """The strength must be positive and the reduction named."""
        require_reduction(self.reduction)
        object.__setattr__(self, "strength", require_strength("strength", self.strength, instead="MinL1()"))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The homotopy from zero to the wanted penalty."""
        return sparse_answer(Penalized(x, y, sample_weight(self.reduction, y.size), self.strength, 0.0))
