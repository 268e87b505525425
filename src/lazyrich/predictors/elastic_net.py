"""The minimizer of squared loss plus absolute and squared norms."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..losses import Reduction, sample_weight
from .base import AbstractVectorPredictor, Reference
from .parts.arguments import require_reduction, require_strength
from .parts.lasso_path import Piece, lasso_path
from .parts.linear_system import row_lengths
from .parts.penalized import Penalized, in_units_of_answers, out_of_units

# A gap above this is not rounding: the path is followed again with more care.
_CLOSED = 1e-10
# Prices off the support within this of their bound, relative, are at it: other minimizers may be near.
_AT_PRICE = 1e-9


@dataclass(frozen=True, eq=False)
class ElasticNet(AbstractVectorPredictor):
    r"""$\arg\min_\beta a\sum_i(\langle\beta, x_i\rangle - y_i)^2 + l_1\|\beta\|_1 + \tfrac{l_2}2\|\beta\|_2^2$, $a$ the weight.

    `value` is that minimum, `dual` a $\theta$ that bounds it: at the solution $2a$ times the residuals.
    Assumes: positive strengths. With one alone use Lasso or Ridge.
    Source: beyond_l2, section 2.
    """

    l1: float
    l2: float
    reduction: Reduction

    def __post_init__(self):
        """Both strengths must be positive and the reduction named."""
        require_reduction(self.reduction)
        object.__setattr__(self, "l1", require_strength("l1", self.l1, instead="Ridge(l2, reduction=)"))
        object.__setattr__(self, "l2", require_strength("l2", self.l2, instead="Lasso(l1, reduction=)"))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The lasso path with a ridge."""
        return sparse_answer(Penalized(x, y, sample_weight(self.reduction, y.size), self.l1, self.l2))


def sparse_answer(problem: Penalized) -> Reference:
    """The point of the lasso path at the wanted penalty, polished on its support."""
    problem, unit = in_units_of_answers(problem)
    zero = np.zeros(problem.x.shape[1])
    reference = problem.certified(zero, [problem.residual_dual(zero)])
    penalty, ridge = problem.l1 / 2 / problem.weight, problem.l2 / 2 / problem.weight
    path = SampledPath.of(problem.x, problem.y, ridge)
    for careful in (False, True):
        piece = next((piece for piece in path.pieces(careful=careful) if piece.low <= penalty), None)
        if piece is not None and piece.high > penalty:
            found = _polished(problem, path, piece, penalty)
            reference = found if found.certificate.gap < reference.certificate.gap else reference
        if reference.certificate.gap <= _CLOSED:
            break
    return out_of_units(_noted(problem, reference), unit)


@dataclass(frozen=True, eq=False)
class SampledPath:
    """The lasso path of data as they are given: columns brought to length one, samples beyond the inputs compressed."""

    x: np.ndarray
    y: np.ndarray
    lengths: np.ndarray
    ridge: float

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray, ridge: float) -> "SampledPath":
        """The path of these data with this much ridge."""
        lengths = np.hypot(row_lengths(x.T), np.sqrt(ridge))
        return cls(x, y, lengths, ridge)

    def pieces(self, *, careful: bool) -> Iterator[Piece]:
        """The pieces in the lengths' units; with care, the ridge is more samples and no part of the path."""
        known, below = self.x.any(axis=0), np.sqrt(self.ridge) * np.eye(self.x.shape[1])
        extra = careful and self.ridge > 0
        a = (np.vstack([self.x, below]) if extra else self.x) / self.lengths
        target = np.concatenate([self.y, np.zeros(a.shape[0] - self.y.size)])
        if a.shape[0] > a.shape[1]:
            frame, a = np.linalg.qr(a)
            target = frame.T @ target
        weights = np.where(known, 1 / self.lengths, np.inf)
        ridge = np.where(known & (not extra), self.ridge / self.lengths**2, 0.0)
        return lasso_path(a, target, weights, ridge=ridge, careful=careful)

    def exact(self, piece: Piece, penalty: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The solution on a piece's support and signs, and the residual in and outside their span, by a QR factorization.

        What is outside is projected twice, so that it is rounding beside what is inside if it should be zero.
        """
        part = self.x[:, piece.support] / self.lengths[piece.support]
        extra = np.diag(np.sqrt(self.ridge) / self.lengths[piece.support])
        frame, triangle = np.linalg.qr(np.vstack([part, extra]) if self.ridge > 0 else part)
        target = np.concatenate([self.y, np.zeros(frame.shape[0] - self.y.size)])
        push = np.linalg.solve(triangle.T, piece.signs / self.lengths[piece.support])
        inside = frame.T @ target
        outside = target - frame @ inside
        outside -= frame @ (frame.T @ outside)
        solution = np.zeros(self.x.shape[1])
        solution[piece.support] = np.linalg.solve(triangle, inside - penalty * push) / self.lengths[piece.support]
        return solution, penalty * (frame @ push)[: self.y.size], outside[: self.y.size]


def _polished(problem: Penalized, path: SampledPath, piece: Piece, penalty: float) -> Reference:
    """The certified solution of a piece: solved exactly on its support, or as the path had it, the better one."""
    plain = piece.solution(penalty, problem.x.shape[1]) / path.lengths
    duals = [problem.residual_dual(plain)]
    reference = problem.certified(plain, duals)
    try:
        exact, inside, outside = path.exact(piece, penalty)
    except np.linalg.LinAlgError:
        return reference
    duals += [2 * problem.weight * (inside + outside), 2 * problem.weight * inside, problem.residual_dual(exact)]
    better = problem.certified(exact, duals)
    return better if better.certificate.gap <= reference.certificate.gap else reference


def _noted(problem: Penalized, reference: Reference) -> Reference:
    """The solution with what can be said of others at no cost."""
    if reference.dual is None or problem.l2 > 0:
        return reference
    prices = np.abs(reference.dual @ problem.x)[reference.effective == 0]
    many = (prices >= (1 - _AT_PRICE) * problem.l1).any()
    return replace(reference, notes="the minimizer may not be unique" if many else "")
