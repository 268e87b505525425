"""The least absolute norm within a distance of the targets: basis pursuit denoising."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .base import AbstractVectorPredictor, Certificate, Reference
from .elastic_net import SampledPath
from .min_l1 import MinL1
from .parts.arguments import require_between
from .parts.lasso_path import Piece
from .parts.linear_system import column_sizes, in_units, no_answer, relative_gap, unit_of, zero_answer

# A gap above this is not rounding: the path is followed again with more care.
_CLOSED = 1e-10
# The residual is aimed this share of the targets short of the radius, so that rounding does not carry it beyond.
_ROUNDING = 4e-15
# How far the radius may be below the distance to the range of the inputs, relative, before that proves a contradiction.
_CLASH = 1e-8


@dataclass(frozen=True, eq=False)
class BasisPursuitDenoising(AbstractVectorPredictor):
    r"""$\arg\min_\beta \|\beta\|_1$ subject to $\|X\beta - y\|_2 \le$ `radius`; MinL1 at radius 0.

    The lasso seen from its constraint: the same path, at the penalty whose residual has the length of the radius.
    `value` is that norm, `dual` a $\theta$ with $|X^\top\theta| \le 1$ and $y^\top\theta - \text{radius}\|\theta\|$ near it.
    `feasibility` is the excess of the residual over the radius, relative to the radius. Where the radius is below the
    distance of $y$ from the range of $X$, there is no solution: the proof is a unit $z$ with $z^\top X = 0$,
    $z^\top y >$ `radius`.
    Source: beyond_l2, section 3.
    """

    radius: float

    def __post_init__(self):
        """The radius must be a number from 0 on."""
        object.__setattr__(self, "radius", require_between("radius", self.radius, low=0.0, high=np.finfo(float).max))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The lasso path until the residual is as short as the radius."""
        unit = unit_of(y)
        radius, scaled = self.radius / unit, y / unit
        if np.linalg.norm(scaled) <= radius:
            return zero_answer(x, np.zeros_like(y))
        if radius == 0:
            return MinL1()._solve(x, y)
        outside = _outside(x, scaled)
        if np.linalg.norm(outside) > (1 + _CLASH) * radius:
            return no_answer(x.shape[1], outside / np.linalg.norm(outside))
        best = None
        for found in _attempts(x, scaled, radius):
            best = found if best is None or _doubt(found) < _doubt(best) else best
            if _doubt(best) <= _CLOSED:
                break
        return no_answer(x.shape[1], None) if best is None else in_units(best, unit)


def _doubt(reference: Reference) -> float:
    """The larger of feasibility and gap."""
    return max(reference.certificate.feasibility, reference.certificate.gap)


def _outside(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The part of the targets that no combination of the inputs reaches."""
    left, sizes, _ = np.linalg.svd(x / column_sizes(x), full_matrices=False)
    frame = left[:, sizes > sizes[0] * max(x.shape) * np.finfo(float).eps]
    outside = y - frame @ (frame.T @ y)
    return outside - frame @ (frame.T @ outside)


def _attempts(x: np.ndarray, y: np.ndarray, radius: float) -> Iterator[Reference]:
    """Certified solutions, the quick way first."""
    path = SampledPath.of(x, y, 0.0)
    for careful in (False, True):
        piece = _reaching(path, radius, careful=careful)
        if piece is not None:
            try:
                _, inside, outside = path.exact(piece, 1.0)
            except np.linalg.LinAlgError:
                continue
            aim = radius - _ROUNDING * np.linalg.norm(y)
            left = max(aim * abs(aim) - outside @ outside, 0.0)
            penalty = float(np.clip(np.sqrt(left) / np.linalg.norm(inside), piece.low, piece.high))
            solution = path.exact(piece, penalty)[0]
            yield _certified(x, y, radius, solution, [penalty * inside + outside, penalty * inside, y - x @ solution])


def _reaching(path: SampledPath, radius: float, *, careful: bool) -> Piece | None:
    """The first piece that ends within the radius, or else the last."""
    piece = None
    for piece in path.pieces(careful=careful):
        end = piece.corner + (piece.high - piece.low) * piece.slope
        residual = path.y - (path.x[:, piece.support] / path.lengths[piece.support]) @ end
        if np.linalg.norm(residual) <= radius:
            return piece
    return piece


def _certified(x: np.ndarray, y: np.ndarray, radius: float, solution: np.ndarray, duals: list[np.ndarray]) -> Reference:
    r"""Every $\theta$ scaled to $|X^\top\theta| \le 1$ bounds the norm below by $y^\top\theta - \text{radius}\|\theta\|$."""
    scaled = [dual / np.abs(dual @ x).max() for dual in duals if (dual @ x).any()]
    bounds = [float(y @ dual - radius * np.linalg.norm(dual)) for dual in scaled]
    place, value = int(np.argmax(bounds)), float(np.abs(solution).sum())
    excess = max(float(np.linalg.norm(x @ solution - y)) / radius - 1, 0.0)
    return Reference(solution, value, Certificate(excess, relative_gap(bounds[place], value)), scaled[place])
