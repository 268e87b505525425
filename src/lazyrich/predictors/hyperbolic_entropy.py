"""The interpolant of least hyperbolic entropy: where a diagonal net goes, of any depth and from any scale."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import SupportsFloat

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.entropy_links import link_of
from ..problems import Split
from .base import AbstractVectorPredictor, Reference
from .parts.arguments import require_between, require_depth, require_nonzero_vector, require_vector, stretched
from .parts.separable_entropy import SeparableEntropy

# Below, log alpha itself loses digits; above this alpha^D the value, about |beta|^2 / 4 alpha^D, nears the end of floats.
_LEAST, _MOST = 1e-300, 1e200


@dataclass(frozen=True, eq=False)
class MinHyperbolicEntropy(AbstractVectorPredictor):
    r"""$\arg\min_\beta Q(\beta) = \sum_i \alpha^Dw_{0i}^2\,q_D\!\left(\beta_i/(\alpha w_{0i})^D\right)$ subject to $X\beta = y$.

    Gradient flow on the squared loss of $\beta = u^D - v^D$ from $u = v = \alpha w_0$ ends here, at every scale
    $\alpha$: large ones give the least l2 norm with weights $w_0^{2-2D}$, small ones the least l1 norm with weights
    $w_0^{2-D}$. `depth` is $D \ge 2$ with $q_2 = q$; `shape` is $w_0$ (ones if not given), of which only the size
    matters. `value` is $Q$, the quantity minimized: with a shape at depths $D \ge 3$ that is not
    $\sum_i(\alpha w_{0i})^Dq_D(\beta_i/(\alpha w_{0i})^D)$, whose minimizer no flow reaches. `dual` is $\nu$ with
    $\beta = (\alpha w_0)^D h_D(w_0^{D-2}X^\top\nu)$, $h_D = (q_D')^{-1}$.
    Assumes: consistent equations.
    Source: woodworth2020, theorems 1 and 3.
    """

    alpha: SupportsFloat
    depth: int = 2
    shape: ArrayLike | None = None

    def __post_init__(self):
        """The scale must be positive, the shape without zeros, the depth a whole number from 2."""
        object.__setattr__(self, "depth", require_depth(self.depth, least=2))
        object.__setattr__(self, "alpha", self._scale(self.alpha))
        object.__setattr__(self, "shape", require_nonzero_vector("shape", self.shape, positive=False))

    def path(self, data: Split, alphas: Iterable[SupportsFloat]) -> list[Reference]:
        """The references at many scales, in the order given, by one sweep from the largest to the smallest.

        The predictor's own `alpha` plays no part.
        """
        levels = [self._level(self._scale(alpha)) for alpha in alphas]
        x, y = self.numbers(data)
        return self._entropy(x.shape[1]).solve(x, y, levels) if levels else []

    def stationarity(self, data: Split, effective: ArrayLike) -> float:
        r"""$\|S\odot(p - X^\top\nu)\|_2/\|\beta\|_2$ with the prices $p = \partial Q/\partial\beta$ and $S = d\beta/dp$.

        The $\nu$ is that of least squares weighted by $S$. For a point that meets the equations it is the
        first-order distance to the minimizer, relative: the reading for the end of a run.
        """
        x, y = self.numbers(data)
        beta = require_vector("effective", effective, x.shape[1])
        return self._entropy(x.shape[1]).stationarity(x, y, beta, self._level(float(self.alpha)))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The sweep to one scale."""
        return self._entropy(x.shape[1]).solve(x, y, [self._level(float(self.alpha))])[0]

    def _scale(self, alpha: SupportsFloat) -> float:
        return require_between("alpha", alpha, low=_LEAST, high=_MOST ** (1 / self.depth))

    def _level(self, alpha: float) -> float:
        return self.depth * float(np.log(alpha))

    def _entropy(self, dim: int) -> SeparableEntropy:
        r"""$c = \alpha^Dw_0^2$ and $w = w_0^{2-D}$."""
        shape = np.abs(stretched("shape", self.shape, dim))
        return SeparableEntropy(link_of(self.depth), shape ** (2.0 - self.depth), 2 * np.log(shape))
