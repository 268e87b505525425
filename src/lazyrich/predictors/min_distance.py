"""The interpolant nearest to the initialization in the weights of a diagonal net of depth 2."""

from dataclasses import dataclass
from typing import SupportsFloat

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.entropy_links import PowerLink
from .base import AbstractVectorPredictor, Reference
from .parts.arguments import require_between, require_nonzero_vector, stretched
from .parts.separable_entropy import SeparableEntropy

# As for the entropy of depth 2: alpha^2 and the value stay within the range of floats.
_LEAST, _MOST = 1e-300, 1e100


@dataclass(frozen=True, eq=False)
class MinDistance(AbstractVectorPredictor):
    r"""$\arg\min_\beta R(\beta)$, $X\beta = y$, where $R = \min_{u^2-v^2=\beta}\|u-\alpha w_0\|^2+\|v-\alpha w_0\|^2$.

    The explicit bias one might expect of a diagonal net of depth 2, beside the implicit one that it has. Coordinate by
    coordinate $R = \sum_i c_i\,q_4(\beta_i/c_i)$ with $c = \alpha^2w_0^2$: with $w_0 = 1$ the implicit bias of depth 4 at
    scale $\sqrt\alpha$. `shape` is $w_0$ (ones if not given), of which only the size matters; `value` is $R$,
    a squared distance; `dual` is $\nu$ with $\beta = c\,h_4(X^\top\nu)$.
    Assumes: consistent equations.
    Source: woodworth2020, equations 8 and 9, with the factor $\alpha^2$ that they lack.
    """

    alpha: SupportsFloat
    shape: ArrayLike | None = None

    def __post_init__(self):
        """The scale must be positive, the shape without zeros."""
        object.__setattr__(self, "alpha", require_between("alpha", self.alpha, low=_LEAST, high=_MOST))
        object.__setattr__(self, "shape", require_nonzero_vector("shape", self.shape, positive=False))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The sweep to the scale."""
        shape = np.abs(stretched("shape", self.shape, x.shape[1]))
        entropy = SeparableEntropy(PowerLink(4), np.ones_like(shape), 2 * np.log(shape))
        return entropy.solve(x, y, [2 * float(np.log(float(self.alpha)))])[0]
