"""The interpolant of one variable with the least bent slope: connect the dots."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from .base import FEASIBILITY, AbstractVectorPredictor, Certificate, Reference
from .parts.linear_system import relative_gap

# A change of slope below this times what rounding of the targets makes of it is none.
_ROUNDING = 8 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class LinearSpline(AbstractVectorPredictor):
    r"""$\arg\min_f \int |f''|$ subject to $f(x_i) = y_i$: straight lines from sample to sample, in order of $x$.

    The rich limit of two-layer ReLU nets of one input. `value` is the total variation of $f'$, `effective` are the
    slopes of the pieces from left to right (one slope of zero for one sample), `predict` takes one input a row, a vector
    of inputs, or one. Outside the samples it goes on with the slopes of the ends: the minimizer is not unique there,
    nor between samples where slopes go on rising or falling (`notes` says so).
    `dual` are weights $\nu$ of the samples, zero on straight lines, with $|\sum_i\nu_i(x_i - t)_+| \le 1$ for all $t$:
    every interpolant has $\int|f''| \ge \sum_i\nu_iy_i$. Where one input has two targets the proof is the difference
    of the two samples.
    Source: woodworth2020, appendix B.
    """

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """Sort, merge, join."""
        places = one_variable(x, "LinearSpline")
        clash = contradiction(places, y)
        if clash is not None:
            return Reference(np.zeros(1), float("inf"), Certificate(float("inf"), float("inf"), clash))
        at, samples = np.unique(places, return_inverse=True)
        heights = np.bincount(samples, weights=y) / np.bincount(samples)
        slopes = np.diff(heights) / np.diff(at) if at.size > 1 else np.zeros(1)
        bends = _bends(at, heights, slopes)
        value = float(np.abs(np.diff(slopes)) @ (bends != 0))
        knots = _dual(at, np.sign(bends))
        dual = knots[samples] / np.bincount(samples)[samples]
        function = _function(at, heights, slopes)
        gap = relative_gap(_bound(bends), value)
        return Reference(slopes, value, Certificate(_missed(function, places, y), gap), dual, function, _notes(bends))


def one_variable(x: np.ndarray, who: str) -> np.ndarray:
    """The inputs as a vector; refused if a sample has more than one."""
    if x.shape[1] != 1:
        raise BadInput(
            needed=f"{who} takes one input a sample, x of shape (n, 1)",
            given=f"shape {x.shape}",
            cure="Give one column, or use MinL2 or MinL1 for several inputs.",
        )
    return x[:, 0]


def contradiction(places: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    """Plus and minus one at two samples of one input with different targets, or None."""
    order = np.lexsort((y, places))
    limit = FEASIBILITY * np.abs(y).max()
    _, first, counts = np.unique(places[order], return_index=True, return_counts=True)
    low, high = order[first], order[first + counts - 1]
    worst = int(np.argmax(y[high] - y[low]))
    if y[high[worst]] - y[low[worst]] <= limit:
        return None
    proof = np.zeros(y.size)
    proof[high[worst]], proof[low[worst]] = 1.0, -1.0
    return proof


def inputs_of(x) -> np.ndarray:
    """New inputs as an array: one a row, a vector of them, or one alone."""
    inputs = np.asarray(x, float)
    if inputs.ndim > 2 or inputs.ndim == 2 and inputs.shape[1] != 1:
        raise BadInput(
            needed="predict takes inputs of shape (m, 1) or (m,), or one number",
            given=f"shape {inputs.shape}",
            cure="Give one input a row.",
        )
    return inputs[:, 0] if inputs.ndim == 2 else inputs


def _bends(at: np.ndarray, heights: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """The changes of slope at the inner samples; zero where they are rounding of the heights."""
    if at.size < 3:
        return np.zeros(0)
    bends, steps = np.diff(slopes), np.diff(at)
    noise = (np.abs(heights[:-1]) + np.abs(heights[1:])) / steps + np.abs(slopes) * np.abs(at[1:]) / steps
    return np.where(np.abs(bends) > _ROUNDING * (noise[:-1] + noise[1:]), bends, 0.0)


def _dual(at: np.ndarray, heights: np.ndarray) -> np.ndarray:
    r"""The weights $\nu$ whose $\sum_i\nu_i(x_i - t)_+$ has these heights at the inner samples and is zero at the ends."""
    if at.size < 3:
        return np.zeros(at.size)
    slopes = np.diff(np.concatenate([[0.0], heights, [0.0]])) / np.diff(at)
    return np.diff(np.concatenate([[0.0], slopes, [0.0]]))


def _bound(bends: np.ndarray) -> float:
    r"""$\sum_j\varphi_j\Delta_j$ over the largest $|\varphi_j|$, where $\varphi_j$ is the sign of $\Delta_j$.

    The change $\Delta_j$ of the data's slope at a sample is $\int f''h_j$ for every interpolant $f$, with $h_j$ the hat
    of height one there and zero at the neighbors: the sum is $\int f''\varphi \le \max|\varphi|\int|f''|$.
    """
    return float(np.sign(bends) @ bends)


def _function(at: np.ndarray, heights: np.ndarray, slopes: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """The lines from sample to sample, and on beyond the ends."""

    def function(x):
        inputs = inputs_of(x)
        piece = np.clip(np.searchsorted(at, inputs, side="right") - 1, 0, slopes.size - 1)
        from_left = heights[piece] + slopes[piece] * (inputs - at[piece])
        if at.size == 1:
            return from_left
        from_right = heights[piece + 1] + slopes[piece] * (inputs - at[piece + 1])
        return np.where(inputs - at[piece] <= at[piece + 1] - inputs, from_left, from_right)

    return function


def _missed(function: Callable[[np.ndarray], np.ndarray], places: np.ndarray, y: np.ndarray) -> float:
    """The largest residual of the function, over the size of the targets."""
    residual, top = np.abs(function(places) - y).max(), np.abs(y).max()
    return float(residual / top) if residual > 0 else 0.0


def _notes(bends: np.ndarray) -> str:
    """Whether there are other minimizers between the samples."""
    sides = np.sign(bends[bends != 0])
    again = bool((sides[1:] == sides[:-1]).any())
    return "other minimizers between samples, where slopes go on rising or falling" if again else ""
