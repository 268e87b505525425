"""The interpolant of least absolute norm: basis pursuit."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from .base import AbstractVectorPredictor, Certificate, Reference
from .parts.arguments import require_nonzero_vector, stretched
from .parts.lasso_path import lasso_path
from .parts.linear_system import (
    LinearSystem,
    column_sizes,
    feasibility,
    in_units,
    lone_gap,
    no_answer,
    relative_gap,
    row_lengths,
    unit_of,
    zero_answer,
)

# The homotopy closes the gap to rounding unless the problem is degenerate; then the linear program is asked too.
_CLOSED = 1e-9
# A gap above this is not rounding: a correction of the dual may close it.
_ROUNDING = 1e-13
# Prices off the support within this of their weights, relative, are at them: other minimizers may be near.
_AT_PRICE = 1e-9
# Entries of the solution below this share of the largest may be rounding: their signs are not trusted.
_SURE = 1e-9
# Solutions larger than this times the right side come from equations too near to dependent for elimination.
_FAR = 1e6
# The tightest tolerances HiGHS takes.
_TIGHTEST = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True, eq=False)
class MinL1(AbstractVectorPredictor):
    r"""$\arg\min_\beta \sum_i c_i|\beta_i|$ subject to $X\beta = y$, with weights $c > 0$ (ones if not given).

    The rich limit of diagonal nets: at depth 2 for every shape of the initialization, at depth $D \ge 3$ with weights
    $c = w_0^{2-D}$. `value` is that norm, `dual` a $\nu$ with $|X^\top\nu| \le c$ and $y^\top\nu$ near the value.
    Assumes: consistent equations. The solution is one of the minimizers where there are several, and `notes` says
    when there may be, or when there are other duals.
    Source: woodworth2020, theorem 2.
    """

    weights: ArrayLike | None = None

    def __post_init__(self):
        """Weights must be positive."""
        object.__setattr__(self, "weights", require_nonzero_vector("weights", self.weights, positive=True))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The homotopy in the penalty first, the linear program where its gap stays open; the better one."""
        weights, sizes, unit = stretched("weights", self.weights, x.shape[1]), column_sizes(x), unit_of(y)
        system = LinearSystem.of(x / sizes, y / unit)
        if system.proof is not None:
            return no_answer(x.shape[1], system.proof)
        if not y.any():
            return zero_answer(x, y)
        best = None
        for solution, dual in _attempts(system, weights / sizes):
            reference = _certified(x, y / unit, weights, solution / sizes, system.lift @ dual)
            if best is None or _doubt(reference) < _doubt(best):
                best = reference
            if best.ok and best.certificate.gap <= _CLOSED:
                break
        if best is None:
            return no_answer(x.shape[1], None)
        return in_units(_noted(x, weights, best, rank=system.target.size), unit)


def _doubt(reference: Reference) -> float:
    """The larger of feasibility and gap, each over its limit."""
    certificate = reference.certificate
    return max(certificate.feasibility / certificate.feasibility_limit, certificate.gap / certificate.gap_limit)


def _noted(x: np.ndarray, weights: np.ndarray, reference: Reference, *, rank: int) -> Reference:
    """The solution with what can be said of others at no cost."""
    if reference.dual is None:
        return reference
    used, tight = reference.effective != 0, np.abs(reference.dual @ x) >= (1 - _AT_PRICE) * weights
    notes = []
    if used.sum() < rank:
        # Fewer tight prices than equations leave the dual a direction to move in.
        notes.append("the dual is not unique" if tight.sum() < rank else "the dual may not be unique")
    if tight[~used].any():
        notes.append("the minimizer may not be unique")
    return replace(reference, notes="; ".join(notes))


def _attempts(system: LinearSystem, weights: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Solutions and duals of the orthonormal system, the cheap way first, both polished on the support."""
    size, lengths = np.linalg.norm(system.target), row_lengths(system.rows.T)
    columns, target, prices = system.rows / lengths, system.target / size, weights / lengths
    prices = np.where(system.rows.any(axis=0), prices, np.inf)
    for method in (_only_one, _homotopy, _careful_homotopy, _linear_program):
        found = method(columns, target, prices)
        if found is not None:
            solution, dual = found
            solution = _polished(columns, target, solution)
            yield size * solution / lengths, _best_dual(columns, target, prices, solution, dual)


def _only_one(columns: np.ndarray, target: np.ndarray, prices: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The solution when the equations leave no choice: as many independent ones as unknowns."""
    if columns.shape[0] < columns.shape[1]:
        return None
    solution = np.linalg.solve(columns, target)
    return solution, np.linalg.solve(columns.T, prices * np.sign(solution))


def _careful_homotopy(columns: np.ndarray, target: np.ndarray, prices: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The same for columns that are nearly dependent."""
    return _homotopy(columns, target, prices, careful=True)


def _homotopy(
    columns: np.ndarray, target: np.ndarray, prices: np.ndarray, *, careful: bool = False
) -> tuple[np.ndarray, np.ndarray] | None:
    """The end of the lasso path, and the dual of its last piece: the residual over the penalty there."""
    last = deque(lasso_path(columns, target, prices, careful=careful), maxlen=1)
    return (last[0].solution(0.0, prices.size), last[0].fit) if last else None


def _linear_program(columns: np.ndarray, target: np.ndarray, prices: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    r"""$\min c^\top(p + q)$ with $V(p - q) = b$, $p, q \ge 0$, by HiGHS, over the columns that are not zero."""
    known = np.flatnonzero(np.isfinite(prices))
    part, cost = columns[:, known], prices[known] / np.median(prices[known])
    found = linprog(np.tile(cost, 2), A_eq=np.hstack([part, -part]), b_eq=target, method="highs", options=_TIGHTEST)
    if found.x is None or found.status != 0:
        return None
    solution = np.zeros(prices.size)
    solution[known] = found.x[: known.size] - found.x[known.size :]
    return solution, found.eqlin.marginals * np.median(prices[known])


def _polished(columns: np.ndarray, target: np.ndarray, solution: np.ndarray) -> np.ndarray:
    """The solution with its nonzero entries corrected, by least squares, to meet the equations."""
    support = np.flatnonzero(solution)
    better = solution.copy()
    if support.size:
        better[support] += _solution(columns[:, support], target - columns @ solution)
    return better


def _solution(matrix: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The solution by elimination where it is a good one, else that of least squares."""
    if matrix.shape[0] == matrix.shape[1]:
        try:
            found = np.linalg.solve(matrix, target)
        except np.linalg.LinAlgError:
            found = np.full(target.size, np.inf)
        if np.abs(found).max() <= _FAR * np.abs(target).max():
            return found
    return np.linalg.lstsq(matrix, target, rcond=None)[0]


def _best_dual(columns: np.ndarray, target: np.ndarray, prices: np.ndarray, solution: np.ndarray, dual: np.ndarray) -> np.ndarray:
    """The dual of the largest bound: as found, or corrected so that prices on the support are the weights."""

    def bound(nu):
        return float(target @ nu / (np.abs(nu @ columns) / prices).max())

    value = np.abs(solution) @ np.where(solution != 0, prices, 0.0)
    if abs(bound(dual) / value - 1) <= _ROUNDING:
        return dual
    candidates, shares = [dual], np.where(solution != 0, prices, 0.0) * np.abs(solution)
    for floor in (0.0, _SURE):
        support = np.flatnonzero(shares > floor * shares.max())
        part, signs = columns[:, support].T, prices[support] * np.sign(solution[support])
        candidates.append(dual + _solution(part, signs - part @ dual))
    return max(candidates, key=bound)


def _certified(x: np.ndarray, y: np.ndarray, weights: np.ndarray, effective: np.ndarray, dual: np.ndarray) -> Reference:
    r"""Every $\nu$ scaled to $|X^\top\nu| \le c$ bounds the norm below by $y^\top\nu$."""
    value = float(weights @ np.abs(effective))
    dual = dual / np.abs((dual @ x) / weights).max()
    gap = relative_gap(float(y @ dual), value)
    alone = lone_gap(x, y, effective, weights=weights, order=1) if gap > _CLOSED else None
    gap = gap if alone is None else min(gap, alone)
    return Reference(effective, value, Certificate(feasibility(x, y, effective), gap), dual)
