"""The interpolant of least Euclidean norm."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .base import AbstractVectorPredictor, Certificate, Reference
from .parts.arguments import require_nonzero_vector, stretched
from .parts.graded import shortest
from .parts.linear_system import (
    LinearSystem,
    column_sizes,
    feasibility,
    in_units,
    lone_gap,
    no_answer,
    relative_gap,
    unit_of,
    zero_answer,
)

# A gap above this is not rounding: where the solution is the only one, its error is bounded without a dual.
_CLOSED = 1e-12


@dataclass(frozen=True, eq=False)
class MinL2(AbstractVectorPredictor):
    r"""$\arg\min_\beta \sqrt{\sum_i c_i\beta_i^2}$ subject to $X\beta = y$, with weights $c > 0$ (ones if not given).

    Where gradient flow on a plain linear model from zero goes, and the lazy limit of every diagonal net:
    an initialization of shape $w_0$ and depth $D$ gives the weights $c = w_0^{2-2D}$. `value` is that norm.
    Assumes: consistent equations; more samples than inputs, repeated and dependent rows are welcome.
    Source: woodworth2020, equation 6.
    """

    weights: ArrayLike | None = None

    def __post_init__(self):
        """Weights must be positive."""
        object.__setattr__(self, "weights", require_nonzero_vector("weights", self.weights, positive=True))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The pseudo-inverse on inputs divided by the roots of the weights, refined once."""
        roots, unit = np.sqrt(stretched("weights", self.weights, x.shape[1])), unit_of(y)
        sizes = column_sizes(x)
        system = LinearSystem.of(x / sizes, y / unit)
        if system.proof is not None:
            return no_answer(x.shape[1], system.proof)
        if not y.any():
            return zero_answer(x, y)
        solution, dual = shortest(x, y / unit, roots, sizes=sizes, system=system)
        return in_units(_certified(x, y / unit, roots, solution, dual), unit)


def _certified(x: np.ndarray, y: np.ndarray, roots: np.ndarray, solution: np.ndarray, dual: np.ndarray) -> Reference:
    r"""Every $\nu$ bounds the norm below by $y^\top\nu / \|X_c^\top\nu\|$, where $X_c$ has its columns over the roots."""
    value, effective = float(np.linalg.norm(solution)), solution / roots
    size = float(np.linalg.norm((dual @ x) / roots))
    dual = dual / size if size > 0 else dual
    gap = relative_gap(float(y @ dual), value)
    alone = lone_gap(x, y, effective, weights=roots, order=2) if gap > _CLOSED else None
    gap = gap if alone is None else min(gap, alone)
    return Reference(effective, value, Certificate(feasibility(x, y, effective), gap), dual)
