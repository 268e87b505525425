"""The interpolant of least absolute norm: basis pursuit."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from .arguments import require_nonzero_vector, stretched
from .base import AbstractVectorPredictor, Certificate, Reference
from .linear_system import LinearSystem, feasibility, no_answer, relative_gap, zero_answer

# The homotopy closes the gap to rounding unless the problem is degenerate; then the linear program is asked too.
_CLOSED = 1e-10
# Entries of the answer below this share of the largest may be rounding: their signs are not trusted.
_SURE = 1e-9
# The tightest tolerances HiGHS takes.
_TIGHTEST = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True, eq=False)
class MinL1(AbstractVectorPredictor):
    r"""$\arg\min_\beta \sum_i c_i|\beta_i|$ subject to $X\beta = y$, with weights $c > 0$ (ones if not given).

    The rich limit of diagonal nets: at depth 2 for every shape of the start, at depth $D \ge 3$ with weights
    $c = w_0^{2-D}$. `value` is that norm, `dual` a $\nu$ with $|X^\top\nu| \le c$ and $y^\top\nu$ near the value.
    Assumes: consistent equations. The answer is one of the minimizers where there are several.
    Source: woodworth2020, theorem 2.
    """

    weights: ArrayLike | None = None

    def __post_init__(self):
        """Weights must be positive."""
        object.__setattr__(self, "weights", require_nonzero_vector("weights", self.weights, positive=True))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The homotopy in the penalty first, the linear program where its gap stays open; the better one."""
        weights = stretched("weights", self.weights, x.shape[1])
        system = LinearSystem.of(x / weights, y)
        if system.proof is not None:
            return no_answer(x.shape[1], system.proof)
        if not system.target.any():
            return zero_answer(x, y)
        best = None
        for answer, dual in _attempts(system):
            told = _certified(x, y, weights, answer, system.lift @ dual)
            if best is None or _doubt(told) < _doubt(best):
                best = told
            if best.ok and best.certificate.gap <= _CLOSED:
                break
        return best if best is not None else no_answer(x.shape[1], None)


def _doubt(told: Reference) -> float:
    """The larger of feasibility and gap, each over its limit."""
    certificate = told.certificate
    return max(certificate.feasibility / certificate.feasibility_limit, certificate.gap / certificate.gap_limit)


def _attempts(system: LinearSystem) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Answers and duals of the orthonormal system, the cheap way first, both polished on the support."""
    size = np.linalg.norm(system.target)
    for method in (_only_one, _homotopy, _linear_program):
        found = method(system.rows, system.target / size)
        if found is not None:
            answer, dual = found
            answer = _polished(system.rows, system.target / size, answer)
            yield size * answer, _best_dual(system, answer, dual)


def _only_one(rows: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The answer when the equations leave no choice: as many independent ones as unknowns."""
    if rows.shape[0] < rows.shape[1]:
        return None
    answer = rows.T @ target
    return answer, rows @ np.sign(answer)


def _homotopy(rows: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The end of the lasso path, and the dual from its last knot: the residual over the penalty there."""
    from sklearn.linear_model import lars_path

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        penalties, _, path = lars_path(rows, target, method="lasso", alpha_min=0, max_iter=20 * sum(rows.shape))
    last = max(len(penalties) - 2, 0)
    if not (np.isfinite(path[:, -1]).all() and penalties[last] > 0):
        return None
    return path[:, -1], (target - rows @ path[:, last]) / (penalties[last] * target.size)


def _linear_program(rows: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    r"""$\min \mathbf 1^\top(p + q)$ with $V(p - q) = b$, $p, q \ge 0$, by HiGHS."""
    d = rows.shape[1]
    found = linprog(np.ones(2 * d), A_eq=np.hstack([rows, -rows]), b_eq=target, method="highs", options=_TIGHTEST)
    if found.x is None or found.status != 0:
        return None
    return found.x[:d] - found.x[d:], found.eqlin.marginals


def _polished(rows: np.ndarray, target: np.ndarray, answer: np.ndarray) -> np.ndarray:
    """The answer with its nonzero entries corrected, by least squares, to meet the equations."""
    support = np.flatnonzero(answer)
    better = answer.copy()
    if support.size:
        better[support] += np.linalg.lstsq(rows[:, support], target - rows @ answer, rcond=None)[0]
    return better


def _best_dual(system: LinearSystem, answer: np.ndarray, dual: np.ndarray) -> np.ndarray:
    """The dual of the largest bound: as found, or corrected so that prices on the support are the signs."""
    candidates = [dual]
    for floor in (0.0, _SURE):
        support = np.flatnonzero(np.abs(answer) > floor * np.abs(answer).max())
        prices, signs = system.rows[:, support].T, np.sign(answer[support])
        candidates.append(dual + np.linalg.lstsq(prices, signs - prices @ dual, rcond=None)[0])
    return max(candidates, key=lambda nu: _bound(system, nu))


def _bound(system: LinearSystem, dual: np.ndarray) -> float:
    """The lower bound on the norm that a dual proves."""
    return float(system.target @ dual / np.abs(dual @ system.rows).max())


def _certified(x: np.ndarray, y: np.ndarray, weights: np.ndarray, answer: np.ndarray, dual: np.ndarray) -> Reference:
    r"""Every $\nu$ scaled to $|X^\top\nu| \le c$ bounds the norm below by $y^\top\nu$."""
    value, effective = float(np.abs(answer).sum()), answer / weights
    dual = dual / np.abs((dual @ x) / weights).max()
    certificate = Certificate(feasibility(x, y, effective), relative_gap(float(y @ dual), value))
    return Reference(effective, value, certificate, dual)
