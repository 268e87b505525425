"""The interpolant of least shifted entropy: where nets go whose initial function is not zero."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import BadInput
from ..numerics.entropy_links import SinhLink
from .base import AbstractVectorPredictor, Reference
from .parts.arguments import require_nonzero_vector, require_vector, stretched
from .parts.separable_entropy import SeparableEntropy

# Beyond this e^theta overflows.
_STEEPEST = 600.0


@dataclass(frozen=True, eq=False)
class MinShiftedEntropy(AbstractVectorPredictor):
    r"""$\arg\min_\beta \sum_i c_i\,q(\beta_i/c_i) - \theta_i\beta_i$ subject to $X\beta = y$.

    Gradient flow on the squared loss of $\beta = u^2 - v^2$ from any positive $u, v$ ends here with $c = uv$ and
    $\theta = \log(u/v)$ at initialization. A sum of $k$ products, $\beta_i = \sum_j U_{ij}V_{ij}$, has $c = \sqrt{AB}/2$ and
    $\theta = \frac12\log(A/B)$, where $A_i = \frac12\sum_j(U_{ij}+V_{ij})^2$ and $B_i = \frac12\sum_j(U_{ij}-V_{ij})^2$: exact at
    every width. `value` is the sum above, which may be negative; the gap is relative to the sum of its terms' sizes.
    `dual` is $\nu$ with $\beta = 2c\sinh(X^\top\nu + \theta)$.
    Assumes: consistent equations; depth 2.
    Source: woodworth2020, theorems 1 and 4.
    """

    c: ArrayLike
    theta: ArrayLike

    def __post_init__(self):
        """Scales must be positive, shifts finite and as many."""
        scale = require_nonzero_vector("c", self.c, positive=True)
        if scale is None:
            raise BadInput(needed="c must be a vector of positive numbers", given="None", cure="Give one a coordinate.")
        shift = require_vector("theta", self.theta, scale.size)
        if np.abs(shift).max() > _STEEPEST:
            raise BadInput(
                needed=f"theta must be at most {_STEEPEST:g} in size",
                given=f"{np.abs(shift).max():g}",
                cure="Start both halves at weights whose ratio is a float.",
            )
        object.__setattr__(self, "c", scale)
        object.__setattr__(self, "theta", shift)

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The sweep to the scale without shifts, then the shifts."""
        scale, ones = stretched("c", self.c, x.shape[1]), np.ones(x.shape[1])
        shift = np.asarray(self.theta) if np.any(self.theta) else None
        return SeparableEntropy(SinhLink(), ones, np.log(scale), shift).solve(x, y, [0.0])[0]
