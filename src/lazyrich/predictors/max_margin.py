"""The direction of largest margin, in the Euclidean or the absolute norm."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from .base import AbstractVectorPredictor, Reference
from .parts.arguments import require_choice
from .parts.linear_system import no_answer
from .parts.margin import NORMS, lower_bound, margin_reference, separation
from .parts.margin_certificate import l1_weights

# Up to this many inputs the linear program takes all columns at once; beyond, they are brought in by price.
_LARGE = 2_000
_COLUMNS = 500
_ROUNDS = 40
# Gaps below this are rounding.
_CLOSED = 1e-9
# Entries below this share of the largest are what the program's tolerance leaves behind.
_DUST = 1e-10
# Columns whose largest entries span no more than this need no units of their own.
_SPAN = 1e3
# The tightest tolerances HiGHS takes.
_TIGHTEST = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
# Margins this near to the least are meant to be equal.
_TIGHT = 1e-8


@dataclass(frozen=True, eq=False)
class MaxMargin(AbstractVectorPredictor):
    r"""$\arg\min_w\|w\|$ subject to $y_i\langle w, x_i\rangle \ge 1$, in the norm `"l1"` or `"l2"`, without intercept.

    `value` is that least norm; the margin is its inverse. Where classification ends: l2 for a plain linear
    model and for the lazy phase of a diagonal net, l1 for the rich phase at depth 2. `dual` are weights
    $\mu\ge 0$ on the samples with $\|X^\top(y\odot\mu)\|_* = 1$ and sum near the value.
    Where no direction separates, the solution is zeros of infinite value, not ok, with Gordan's proof.
    Assumes: labels -1 and +1.
    Source: lyu2024, section 3.2.3.
    """

    norm: str

    signs_only = True

    def __post_init__(self):
        """The norm must be known."""
        require_choice("norm", self.norm, tuple(NORMS))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The Euclidean problem settles whether the classes separate; the absolute one goes on from there."""
        direction, weights, proof = separation(x, y)
        reference = margin_reference(x, y, direction, weights, norm=self.norm)
        if np.isinf(reference.value):
            return no_answer(x.shape[1], proof)
        return reference if self.norm == "l2" else _absolute(x, y, reference)


def _absolute(x: np.ndarray, y: np.ndarray, reference: Reference) -> Reference:
    """Linear programs on growing sets of columns, each solution certified on all of them; the best one."""
    d = x.shape[1]
    columns = np.arange(d) if d <= _LARGE else np.argsort(-np.abs(y @ x), kind="stable")[:_COLUMNS]
    for _ in range(_ROUNDS):
        weights, found = _round(x, y, columns)
        if found is not None and found.certificate.gap < reference.certificate.gap:
            reference = found
        prices = np.abs((y * weights) @ x)
        prices[columns] = 0.0
        dear = np.flatnonzero(prices > (1 + _CLOSED if found is not None else _CLOSED))
        if dear.size == 0 or reference.certificate.gap <= _CLOSED:
            break
        columns = np.concatenate([columns, dear[np.argsort(-prices[dear], kind="stable")][:_COLUMNS]])
    return reference


def _round(x: np.ndarray, y: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, Reference | None]:
    """Weights that price the columns left out, and the certified solution on those taken, if they separate.

    Columns of very different sizes are tried as they are and then in units of their own: entries that a program takes
    for zeros in one are ordinary in the other, where instead the costs differ.
    """
    signed = y[:, None] * x[:, columns]
    sizes = np.abs(signed).max(axis=0)
    sizes = np.where(sizes > 0, sizes, sizes.max() or 1.0)
    alike = sizes.max() <= _SPAN * sizes.min()
    best = None
    for units in (np.ones(sizes.size), sizes)[: 1 if alike else 2]:
        found = _in_units(x, y, columns, signed, units)
        if found is not None and (best is None or found[1].certificate.gap < best[1].certificate.gap):
            best = found
        if best is not None and best[1].certificate.gap <= _CLOSED:
            break
    return best or (separation(x[:, columns], y)[1], None)


def _in_units(
    x: np.ndarray, y: np.ndarray, columns: np.ndarray, signed: np.ndarray, units: np.ndarray
) -> tuple[np.ndarray, Reference] | None:
    """The weights and the certified solution of the program with columns over their units, if it has one."""
    program = _program(signed / units, 1 / units)
    if program is None:
        return None
    solution, weights = program
    direction = np.zeros(x.shape[1])
    direction[columns] = _sharpened(signed, solution / units)
    candidates = (weights, l1_weights(x, y, direction))
    best = max(candidates, key=lambda mu: lower_bound(x, y, mu, norm="l1"))
    return weights, margin_reference(x, y, direction, best, norm="l1")


def _program(signed: np.ndarray, costs: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    r"""$\min c^\top(p + q)$ with $Z(p - q) \ge 1$, $p, q \ge 0$, by HiGHS, and the weights of the samples.

    Rows are brought to size one, since HiGHS takes entries below 1e-9 for zeros.
    """
    n, d = signed.shape
    sizes = np.abs(signed).max(axis=1)
    if sizes.min() == 0:
        return None
    scaled, level = signed / sizes[:, None], sizes.min() / sizes
    unit = costs.max()
    found = linprog(np.tile(costs / unit, 2), A_ub=np.hstack([-scaled, scaled]), b_ub=-level, method="highs", options=_TIGHTEST)
    if found.x is None or found.status != 0:
        return None
    return (found.x[:d] - found.x[d:]) / sizes.min(), -unit * found.ineqlin.marginals / sizes


def _sharpened(signed: np.ndarray, solution: np.ndarray) -> np.ndarray:
    """The solution of the program without its dust, or as it is: the first that has the least norm, to rounding."""
    kept = np.where(np.abs(solution) > _DUST * np.abs(solution).max(), solution, 0.0)
    candidates = (_polished(signed, kept), _polished(signed, solution), solution)
    norms = [_scaled_norm(signed, candidate) for candidate in candidates]
    return next(w for w, size in zip(candidates, norms, strict=True) if size <= (1 + _DUST) * min(norms))


def _polished(signed: np.ndarray, solution: np.ndarray) -> np.ndarray:
    """The solution with its nonzero entries corrected, by least squares, to margin 1 where it is nearly that."""
    support = np.flatnonzero(solution)
    margins = signed @ solution
    tight = margins <= margins.min() + _TIGHT
    better = solution.copy()
    part = signed[np.ix_(tight, support)]
    better[support] += np.linalg.lstsq(part, 1 - margins[tight], rcond=None)[0]
    return better


def _scaled_norm(signed: np.ndarray, direction: np.ndarray) -> float:
    """The absolute norm after scaling to least margin 1; infinite where nothing is separated."""
    least = float((signed @ direction).min())
    return float(np.abs(direction).sum() / least) if least > 0 else float("inf")
