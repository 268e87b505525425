"""The interpolant of least hyperbolic entropy: where a diagonal net of depth 2 goes from any scale."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import SupportsFloat

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import ArrayLike

from ..errors import BadInput
from ..numerics.entropy import scaled_arcsinh, scaled_entropy
from ..problems import Split
from ..types import Array, Float, Scalar
from .arguments import require_between, require_nonzero_vector, require_vector, stretched
from .base import AbstractVectorPredictor, Certificate, Reference
from .entropy_dual import DualPoint, EntropyDual, sinh_point
from .linear_system import LinearSystem, feasibility, no_answer, relative_gap, zero_answer

# Beyond these scales c = alpha^2 or 1 / c^2 nears the end of the range of floats.
_LEAST, _MOST = 1e-150, 1e100
# Tighter than the house limits: the gap is quadratic in the distance to the minimizer.
_FEASIBILITY, _GAP = 1e-10, 1e-9


@dataclass(frozen=True, eq=False)
class MinHyperbolicEntropy(AbstractVectorPredictor):
    r"""$\arg\min_\beta Q(\beta) = \sum_i c_i\,q(\beta_i/c_i)$ subject to $X\beta = y$, with $c = \alpha^2 w_0^2$.

    Gradient flow on the squared loss of $\beta = u^2 - v^2$ from $u = v = \alpha w_0$ ends here, at every
    scale $\alpha$: large ones give the least weighted l2 norm, small ones the least l1 norm. `shape` is $w_0$
    (ones if not given); `value` is $Q$; `dual` is $\nu$ with $\beta = 2c\sinh X^\top\nu$.
    Assumes: consistent equations; depth 2.
    Source: woodworth2020, theorem 1.
    """

    alpha: SupportsFloat
    depth: int = 2
    shape: ArrayLike | None = None

    def __post_init__(self):
        """The scale must be positive, the shape without zeros, the depth 2."""
        object.__setattr__(self, "alpha", require_between("alpha", self.alpha, low=_LEAST, high=_MOST))
        object.__setattr__(self, "shape", require_nonzero_vector("shape", self.shape, positive=False))
        if self.depth != 2:
            raise BadInput(
                needed="MinHyperbolicEntropy knows depth 2; depths 3 and up are not there yet",
                given=f"depth={self.depth!r}",
                cure="Use depth=2, or MinL1 and MinL2 for the limits of deeper nets.",
            )

    def path(self, data: Split, alphas: Iterable[SupportsFloat]) -> list[Reference]:
        """The references at many scales, in the order given, by one sweep from the largest to the smallest.

        The predictor's own `alpha` plays no part.
        """
        scales = [require_between("alpha", alpha, low=_LEAST, high=_MOST) for alpha in alphas]
        return self._sweep(*self.numbers(data), scales) if scales else []

    def stationarity(self, data: Split, effective: ArrayLike) -> float:
        r"""$\|S\odot(p - X^\top\nu)\|_2/\|\beta\|_2$ with $p = \sinh^{-1}(\beta/2c)$, $S = \sqrt{\beta^2 + 4c^2}$.

        The $\nu$ is that of least squares weighted by $S$. For a point that meets the equations it is the
        first-order distance to the minimizer, relative: the reading for the end of a run.
        """
        x, y = self.numbers(data)
        beta = require_vector("effective", effective, x.shape[1])
        log_c = self._log_c(x.shape[1], float(self.alpha))
        p = np.asarray(jax.jit(scaled_arcsinh)(beta, log_c))
        slope = np.hypot(beta, 2 * np.exp(log_c))
        shape = np.abs(stretched("shape", self.shape, x.shape[1]))
        rows = LinearSystem.of(x * shape, y).rows / shape
        nu = np.linalg.lstsq((rows * np.sqrt(slope)).T, np.sqrt(slope) * p, rcond=None)[0]
        missed, size = np.linalg.norm(slope * (p - nu @ rows)), np.linalg.norm(beta)
        return float(missed / size) if size > 0 else 0.0

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The sweep to one scale."""
        return self._sweep(x, y, [float(self.alpha)])[0]

    def _log_c(self, dim: int, alpha: float) -> np.ndarray:
        r"""$\log c = 2\log\alpha + 2\log|w_0|$."""
        return 2 * np.log(alpha) + 2 * np.log(np.abs(stretched("shape", self.shape, dim)))

    def _sweep(self, x: np.ndarray, y: np.ndarray, alphas: list[float]) -> list[Reference]:
        r"""The references at these scales.

        Answers scale with the data, so the dual is solved for a target of length one. Its rows $R$ make
        $R\,\mathrm{diag}(w_0^2)R^\top$ the identity: the lazy limit is perfectly conditioned for every shape.
        """
        dim, shape = x.shape[1], np.abs(stretched("shape", self.shape, x.shape[1]))
        system = LinearSystem.of(x * shape, y)
        if system.proof is not None:
            return [no_answer(dim, LinearSystem.of(x, y).proof)] * len(alphas)
        size = float(np.linalg.norm(system.target))
        if size == 0:
            return [zero_answer(x, y)] * len(alphas)
        dual = EntropyDual(system.rows / shape, system.target / size, 2 * np.log(shape))
        order = np.argsort(alphas)[::-1]
        levels = [float(2 * np.log(alphas[i]) - np.log(size)) for i in order]
        told: dict[int, Reference] = {}

        def missed(answer: np.ndarray) -> np.ndarray:
            return system.lift.T @ (y / size - x @ answer)

        for i, point in zip(order, dual.sweep(levels), strict=True):
            answer = size * _projected(dual, point, missed)
            told[int(i)] = _certified(x, y, self._log_c(dim, alphas[i]), answer, system.lift @ point.nu)
        return [told[i] for i in range(len(alphas))]


def _projected(dual: EntropyDual, point: DualPoint, missed: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    r"""The answer moved onto the equations along $SR^\top$, the direction that costs least entropy.

    `missed` says by how much an answer misses $R\beta = b$, read from the data as given. A step that does not bring
    it nearer is not taken: where the curvature is singular to rounding, it would be noise.
    """
    answer, left = point.effective, missed(point.effective)
    for _ in range(2):
        moved = answer + point.slope * (dual.ascent(point.slope, left) @ dual.rows)
        after = missed(moved)
        if np.linalg.norm(after) >= np.linalg.norm(left):
            break
        answer, left = moved, after
    return answer


def _certified(x: np.ndarray, y: np.ndarray, log_c: np.ndarray, effective: np.ndarray, nu: np.ndarray) -> Reference:
    r"""Every $\nu$ bounds the entropy below by $y^\top\nu - \sum_i 2c_i(\cosh p_i - 1)$, $p = X^\top\nu$."""
    value = float(_entropy(effective, log_c))
    bound = float(y @ nu) - float(sinh_point(nu @ x, log_c)[2])
    missed, gap = feasibility(x, y, effective), relative_gap(bound, value)
    return Reference(effective, value, Certificate(missed, gap, None, _FEASIBILITY, _GAP), nu)


@jax.jit
def _entropy(effective: Float[Array, " d"], log_c: Float[Array, " d"]) -> Scalar:
    """The sum of the scaled entropies."""
    return jnp.sum(scaled_entropy(effective, log_c))
