"""The test error early, by the tangent kernel, and late, where the minimum of the penalty can be solved for."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..losses import Squared, sample_weight
from ..models import (
    DiagonalNet,
    Factorization,
    HadamardNet,
    Linear,
    LinearNet,
    Matrix,
    SymmetricNet,
    outputs,
    parameters,
    tangent,
)
from ..objective import Objective
from ..predictors import (
    KernelInterpolant,
    KernelMaxMargin,
    Lasso,
    MaxMargin,
    MinHyperbolicEntropy,
    NuclearLasso,
    Reference,
    Ridge,
)
from ..problems import Entries, Split
from ..regularizers import L1, L2, Nuclear
from .hypotheses import as_split
from .record import Level

# Rows of a kernel, one an output of a sample, that are solved for at most: beyond, a share of the samples is taken.
ROWS = 1_500
# Of each of the two parts that are solved for then.
PART_ROWS = 600
# With several classes every wrong class of every sample is a constraint, and solving takes far longer.
CLASS_ROWS = 300
# A kernel solution with residuals below this share, but above what a certificate allows, still predicts.
NEARLY = 1e-3


@dataclass(frozen=True)
class Lazy:
    """The kernel solution's level, and how far it moves the weights: the largest move over their root mean square."""

    level: Level
    move: float


UNFIT = Lazy(Level(None, "unknown", "the tangent kernel at initialization cannot fit the data"), np.inf)


def test_error(objective: Objective, outputs: np.ndarray, targets: np.ndarray) -> float:
    """The share of wrong labels, or the squared error over the squared targets."""
    if objective.loss.classes_only:
        return float(np.mean(np.argmax(outputs, axis=1) != targets))
    if objective.loss.signs_only:
        return float(np.mean((1 - np.sign(outputs) * targets) / 2))
    return float(np.sum((outputs - targets) ** 2) / np.sum(targets**2))


def early(objective: Objective, init: Any, test: Split | Entries, *, rows: int | None = None) -> Lazy:
    """The tangent kernel solution at initialization: on all samples, or on as many as `rows` allow, with the spread of that."""
    model, data = as_split(init, objective.data)
    _, held = as_split(init, test)
    each = tangent.Sizes.of(model, data.x).k
    count = max((rows or (CLASS_ROWS if objective.loss.classes_only else ROWS)) // each, 2)
    if data.n <= count:
        solution = _kernel(objective, model).solve(data)
        if not _fits(solution):
            return UNFIT
        says = f"the tangent kernel at initialization, {data.n} samples"
        return Lazy(Level(_error(objective, solution, held), "solved", says), _move(model, data, solution))
    return _of_parts(objective, model, data, held, max(PART_ROWS // each, 2) if rows is None else count)


def _kernel(objective: Objective, model: Any) -> KernelInterpolant | KernelMaxMargin:
    return KernelInterpolant(model) if isinstance(objective.loss, Squared) else KernelMaxMargin(model)


def _of_parts(objective: Objective, model: Any, data: Split, held: Split, count: int) -> Lazy:
    """The solutions on the first and on the last `count` samples. Classes are fitted as numbers, which is far cheaper."""
    count = min(count, data.n)
    parts = [Split(data.x[at : at + count], data.y[at : at + count]) for at in (0, data.n - count)]
    predictor = _kernel(objective, model)
    if objective.loss.classes_only:
        # One against the rest with margins of one: an interpolant of them has all required margins.
        eye = np.eye(tangent.Sizes.of(model, data.x).k)
        predictor = KernelInterpolant(model)
        parts = [Split(part.x, outputs(model, part.x) + eye[np.asarray(part.y).astype(int)]) for part in parts]
    solutions = [predictor.solve(part) for part in parts]
    if not all(map(_fits, solutions)):
        return UNFIT
    errors = [_error(objective, one, held) for one in solutions]
    says = (
        f"the tangent kernel at initialization, on {count} of {data.n} samples at a time, since that of all is too large: "
        f"two such parts differ by {abs(errors[0] - errors[1]):.2g}"
    )
    # More samples need a larger move: the squares of independent ones add up.
    move = max(_move(model, part, one) for part, one in zip(parts, solutions, strict=True)) * (data.n / count) ** 0.5
    return Lazy(Level(float(np.mean(errors)), "bound", says), move)


def _fits(solution: Reference) -> bool:
    return solution.ok or solution.certificate.feasibility < NEARLY


def _error(objective: Objective, solution: Reference, held: Split) -> float:
    return test_error(objective, np.asarray(solution.predict(held.x)), np.asarray(held.y))


def _move(model: Any, data: Split, solution: Reference) -> float:
    h = np.asarray(tangent.combined(model, data.x, jnp.asarray(solution.effective)))
    weights = np.concatenate([np.ravel(part) for part in _leaves(model)])
    size = np.sqrt(np.mean(weights**2))
    return float(np.abs(h).max() / size) if size > 0 else np.inf


def _leaves(model: Any) -> list:
    return jax.tree.leaves(parameters(model))


def late(objective: Objective, init: Any, test: Split | Entries) -> Level:
    """The minimizer that the penalties lead to, where that is a convex problem; unknown elsewhere."""
    if isinstance(objective.data, Split) and objective.data.x.ndim > 2:
        return Level(None, "unknown", "inputs are not vectors")
    solvable = _solvable(objective, init)
    if solvable is None:
        return Level(None, "unknown", f"no convex problem is known for a {type(init).__name__} with this loss and penalty")
    predictor, says = solvable
    data = objective.data
    if isinstance(init, SymmetricNet) and isinstance(data, Entries):
        data = _both_ways(data)
    solution = predictor.solve(data)
    if not solution.ok:
        return Level(None, "unknown", f"{says}, but its solution has no certificate")
    if isinstance(test, Entries):
        found = solution.effective[np.asarray(test.rows), np.asarray(test.cols)]
    else:
        found = np.asarray(solution.predict(test.x))
    return Level(test_error(objective, found, np.asarray(test.y)), "solved", says)


def _solvable(objective: Objective, init: Any) -> tuple[Any, str] | None:
    """A predictor of the late solution, and in words what it is."""
    squared, kinds = isinstance(objective.loss, Squared), [type(penalty) for penalty, _ in objective.penalties]
    strength = float(sum(float(size) for _, size in objective.penalties))
    if strength == 0:
        return _without_penalty(init) if squared else _margin(objective, init, "approached like 1/log t")
    if isinstance(init, Linear) and kinds == [L1] and squared:
        return Lasso(strength, objective.reduction), "the lasso at this regularization strength"
    if isinstance(init, Matrix) and kinds == [Nuclear] and squared:
        return NuclearLasso(strength, objective.reduction), "the nuclear lasso at this regularization strength"
    if set(kinds) != {L2}:
        return None
    return _with_decay(objective, init, strength, squared)


def _with_decay(objective: Objective, init: Any, weight_decay: float, squared: bool) -> tuple[Any, str] | None:
    r"""Weight decay as an $\ell_1$ (nuclear) penalty: of half its strength for a difference of squares, of all for a product."""
    if _of_two(init) and isinstance(objective.data, Split):
        price = weight_decay / 2 if isinstance(init, DiagonalNet) else weight_decay
        if squared:
            return Lasso(price, objective.reduction), "the lasso that weight decay amounts to at depth 2"
        return _margin(objective, init, "the limit of small weight decay")
    if isinstance(init, Linear) and squared:
        return Ridge(weight_decay, objective.reduction), "ridge regression at this weight decay"
    if squared and isinstance(objective.data, Entries):
        if isinstance(init, SymmetricNet) and init.u.shape[0] == init.u.shape[1]:
            # Every entry is given both ways round: summed losses double with that, mean ones do not.
            twice = 2 * sample_weight(objective.reduction, 2 * objective.data.n) / objective.weight
            return NuclearLasso(twice * weight_decay / 2, objective.reduction), "the nuclear lasso that weight decay amounts to"
        if isinstance(init, LinearNet | Factorization) and init.degree == 2 and _wide(init):
            return NuclearLasso(weight_decay, objective.reduction), "the nuclear lasso that weight decay amounts to"
    return None


def _of_two(init: Any) -> bool:
    return isinstance(init, DiagonalNet | HadamardNet) and init.degree == 2


def _margin(objective: Objective, init: Any, when: str) -> tuple[Any, str] | None:
    """Of labels: the direction of a net with two factors a weight."""
    known = _of_two(init) and isinstance(objective.data, Split) and objective.loss.signs_only
    return (MaxMargin("l1"), f"the maximum l1 margin, {when}") if known else None


def _wide(init: LinearNet | Factorization) -> bool:
    """Whether two factors reach every matrix: a narrow middle bounds the rank, and the problem is not convex."""
    width = init.width if isinstance(init, LinearNet) else init.factors[0].shape[1]
    return width >= min(init.effective().shape)


def _without_penalty(init: Any) -> tuple[Any, str] | None:
    """The interpolant that the flow itself chooses, at this scale of the initialization."""
    if isinstance(init, DiagonalNet) and init.depth >= 2 and np.array_equal(init.u, init.v):
        shape = np.abs(np.asarray(init.u))
        if shape.min() > 0:
            size = float(shape.max())
            says = f"the minimum hyperbolic entropy at alpha = {size:.3g}, depth {init.depth}"
            return MinHyperbolicEntropy(size, depth=init.depth, shape=shape / size), says
    return None


def _both_ways(data: Entries) -> Entries:
    """Entries of a symmetric matrix with those of its transpose: the least nuclear norm of them is symmetric."""
    rows, cols = np.concatenate([data.rows, data.cols]), np.concatenate([data.cols, data.rows])
    return Entries(jnp.asarray(rows), jnp.asarray(cols), jnp.concatenate([data.y, data.y]), data.shape)
