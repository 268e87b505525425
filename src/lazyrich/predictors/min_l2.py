"""The interpolant of least Euclidean norm."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .arguments import require_nonzero_vector, stretched
from .base import AbstractVectorPredictor, Certificate, Reference
from .linear_system import LinearSystem, feasibility, no_answer, relative_gap


@dataclass(frozen=True, eq=False)
class MinL2(AbstractVectorPredictor):
    r"""$\arg\min_\beta \sqrt{\sum_i c_i\beta_i^2}$ subject to $X\beta = y$, with weights $c > 0$ (ones if not given).

    Where gradient flow on a plain linear model from zero goes, and the lazy limit of every diagonal net:
    a start of shape $w_0$ and depth $D$ gives the weights $c = w_0^{2-2D}$. `value` is that norm.
    Assumes: consistent equations; more samples than inputs, repeated and dependent rows are welcome.
    Source: woodworth2020, equation 6.
    """

    weights: ArrayLike | None = None

    def __post_init__(self):
        """Weights must be positive."""
        object.__setattr__(self, "weights", require_nonzero_vector("weights", self.weights, positive=True))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The pseudo-inverse on inputs divided by the roots of the weights, refined once."""
        roots = np.sqrt(stretched("weights", self.weights, x.shape[1]))
        scaled = x / roots
        system = LinearSystem.of(scaled, y)
        if system.proof is not None:
            return no_answer(x.shape[1], system.proof)
        answer = system.rows.T @ system.target
        answer += system.rows.T @ (system.lift.T @ (y - scaled @ answer))
        return _certified(x, y, roots, answer, system.lift @ system.target)


def _certified(x: np.ndarray, y: np.ndarray, roots: np.ndarray, answer: np.ndarray, dual: np.ndarray) -> Reference:
    r"""Every $\nu$ bounds the norm below by $y^\top\nu / \|X_c^\top\nu\|$, where $X_c$ has its columns over the roots."""
    value = float(np.linalg.norm(answer))
    size = float(np.linalg.norm((dual @ x) / roots))
    dual = dual / size if size > 0 else dual
    effective = answer / roots
    certificate = Certificate(feasibility(x, y, effective), relative_gap(float(y @ dual), value))
    return Reference(effective, value, certificate, dual)
