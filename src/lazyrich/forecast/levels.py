"""What a model answers early, by its tangent kernel, and late, where the least of its penalty can be solved for."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...losses import Squared
from ...models import (
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
from ...objective import Objective
from ...predictors import (
    KernelInterpolant,
    KernelMaxMargin,
    Lasso,
    MaxMargin,
    MinHyperbolicEntropy,
    NuclearLasso,
    Reference,
    Ridge,
)
from ...problems import Entries, Split
from ...regularizers import L1, L2, Nuclear
from .hypotheses import as_split
from .record import Answer

# Rows of a kernel, one an output of a sample, that are solved for at most: beyond, a share of the samples is taken.
ROWS = 1_500
# Of each of the two parts that are looked at then.
PART_ROWS = 600
# With several classes every rival of every sample is a constraint, and solving takes far longer.
RIVAL_ROWS = 300
# A kernel that misses the data by less than this share, but by more than a certificate allows, still says where it leads.
NEARLY = 1e-3


@dataclass(frozen=True)
class Lazy:
    """The kernel's answer, and how far it moves the weights: the largest move over the root mean square of the weights."""

    answer: Answer
    move: float


UNFIT = Lazy(Answer(None, "unknown", "the tangent kernel of the start cannot fit the data"), np.inf)


def missed(goal: Objective, found: np.ndarray, answers: np.ndarray) -> float:
    """The share of a test that outputs miss: wrong labels, or squares over those of the answers."""
    if goal.loss.classes_only:
        return float(np.mean(np.argmax(found, axis=1) != answers))
    if goal.loss.signs_only:
        return float(np.mean((1 - np.sign(found) * answers) / 2))
    return float(np.sum((found - answers) ** 2) / np.sum(answers**2))


def early(goal: Objective, start: Any, test: Split | Entries, *, rows: int | None = None) -> Lazy:
    """The answer of the tangent kernel at the start: of all samples, or of as many as `rows` allow, with the error of that."""
    model, data = as_split(start, goal.data)
    _, held = as_split(start, test)
    each = tangent.Sizes.of(model, data.x).k
    count = max((rows or (RIVAL_ROWS if goal.loss.classes_only else ROWS)) // each, 2)
    if data.n <= count:
        told = _kernel(goal, model).solve(data)
        if not _fits(told):
            return UNFIT
        answer = Answer(_of(goal, told, held), "solved", f"the tangent kernel at the start, {data.n} samples")
        return Lazy(answer, _move(model, data, told))
    return _of_parts(goal, model, data, held, max(PART_ROWS // each, 2) if rows is None else count)


def _kernel(goal: Objective, model: Any) -> KernelInterpolant | KernelMaxMargin:
    return KernelInterpolant(model) if isinstance(goal.loss, Squared) else KernelMaxMargin(model)


def _of_parts(goal: Objective, model: Any, data: Split, held: Split, count: int) -> Lazy:
    """The answer on the first and on the last `count` samples. Classes are fitted as numbers, which is far cheaper."""
    count = min(count, data.n)
    parts = [Split(data.x[at : at + count], data.y[at : at + count]) for at in (0, data.n - count)]
    predictor = _kernel(goal, model)
    if goal.loss.classes_only:
        # One against the rest with margins of one: what fits them has all margins that are asked for.
        eye = np.eye(tangent.Sizes.of(model, data.x).k)
        predictor = KernelInterpolant(model)
        parts = [Split(part.x, outputs(model, part.x) + eye[np.asarray(part.y).astype(int)]) for part in parts]
    told = [predictor.solve(part) for part in parts]
    if not all(map(_fits, told)):
        return UNFIT
    levels = [_of(goal, one, held) for one in told]
    says = (
        f"the tangent kernel at the start, on {count} of {data.n} samples at a time, as that of all does not fit: "
        f"two such parts differ by {abs(levels[0] - levels[1]):.2g}"
    )
    # More samples ask for a larger move: the squares of independent ones add up.
    move = max(_move(model, part, one) for part, one in zip(parts, told, strict=True)) * (data.n / count) ** 0.5
    return Lazy(Answer(float(np.mean(levels)), "bound", says), move)


def _fits(told: Reference) -> bool:
    return told.ok or told.certificate.feasibility < NEARLY


def _of(goal: Objective, told: Reference, held: Split) -> float:
    return missed(goal, np.asarray(told.predict(held.x)), np.asarray(held.y))


def _move(model: Any, data: Split, told: Reference) -> float:
    h = np.asarray(tangent.combined(model, data.x, jnp.asarray(told.effective)))
    weights = np.concatenate([np.ravel(part) for part in _leaves(model)])
    size = np.sqrt(np.mean(weights**2))
    return float(np.abs(h).max() / size) if size > 0 else np.inf


def _leaves(model: Any) -> list:
    return jax.tree.leaves(parameters(model))


def late(goal: Objective, start: Any, test: Split | Entries) -> Answer:
    """Where the penalties lead, solved for where that is a convex problem; unknown elsewhere."""
    if isinstance(goal.data, Split) and goal.data.x.ndim > 2:
        return Answer(None, "unknown", "inputs are not vectors")
    solvable = _solvable(goal, start)
    if solvable is None:
        return Answer(
            None, "unknown", f"no convex problem is known for a {type(start).__name__} with this loss and penalty"
        )
    predictor, says = solvable
    data = goal.data
    told = predictor.solve(_both_ways(data) if isinstance(start, SymmetricNet) and isinstance(data, Entries) else data)
    if not told.ok:
        return Answer(None, "unknown", f"{says}, but its solver is not certain")
    if isinstance(test, Entries):
        found = told.effective[np.asarray(test.rows), np.asarray(test.cols)]
    else:
        found = np.asarray(told.predict(test.x))
    return Answer(missed(goal, found, np.asarray(test.y)), "solved", says)


def _solvable(goal: Objective, start: Any) -> tuple[Any, str] | None:
    """A predictor of the late answer, and in words what it is."""
    squared, kinds = isinstance(goal.loss, Squared), [type(penalty) for penalty, _ in goal.penalties]
    strength = float(sum(float(size) for _, size in goal.penalties))
    if strength == 0:
        return _without_penalty(start) if squared else _margin(goal, start, "neared with log t")
    if isinstance(start, Linear) and kinds == [L1] and squared:
        return Lasso(strength, goal.factor), "the lasso at this strength"
    if isinstance(start, Matrix) and kinds == [Nuclear] and squared:
        return NuclearLasso(strength, goal.factor), "the nuclear norm's lasso at this strength"
    if set(kinds) != {L2}:
        return None
    return _with_decay(goal, start, strength, squared)


def _with_decay(goal: Objective, start: Any, decay: float, squared: bool) -> tuple[Any, str] | None:
    r"""Decay costs $\lambda/2$ times the l1 (nuclear) norm of a difference of squares, and $\lambda$ times it of a product."""
    if _of_two(start) and isinstance(goal.data, Split):
        price = decay / 2 if isinstance(start, DiagonalNet) else decay
        if squared:
            return Lasso(price, goal.factor), "the lasso that decay amounts to at depth 2"
        return _margin(goal, start, "the limit of small decay")
    if isinstance(start, Linear) and squared:
        return Ridge(decay, goal.factor), "the ridge at this decay"
    if squared and isinstance(goal.data, Entries):
        if isinstance(start, SymmetricNet) and start.u.shape[0] == start.u.shape[1]:
            # Every entry is given both ways round: summed losses double with that, mean ones do not.
            twice = 2 * goal.factor.weight(2 * goal.data.n) / goal.weight
            return NuclearLasso(twice * decay / 2, goal.factor), "the nuclear norm's lasso that decay amounts to"
        if isinstance(start, LinearNet | Factorization) and start.degree == 2 and _wide(start):
            return NuclearLasso(decay, goal.factor), "the nuclear norm's lasso that decay amounts to"
    return None


def _of_two(start: Any) -> bool:
    return isinstance(start, DiagonalNet | HadamardNet) and start.degree == 2


def _margin(goal: Objective, start: Any, when: str) -> tuple[Any, str] | None:
    """Of labels: where a net of two factors a weight goes in direction."""
    known = _of_two(start) and isinstance(goal.data, Split) and goal.loss.signs_only
    return (MaxMargin("l1"), f"the largest l1 margin, {when}") if known else None


def _wide(start: LinearNet | Factorization) -> bool:
    """Whether two factors reach every matrix: a narrow middle bounds the rank, and the problem is not convex."""
    width = start.width if isinstance(start, LinearNet) else start.factors[0].shape[1]
    return width >= min(start.effective().shape)


def _without_penalty(start: Any) -> tuple[Any, str] | None:
    """The interpolant that the flow itself chooses, at this scale of the start."""
    if isinstance(start, DiagonalNet) and start.depth >= 2 and np.array_equal(start.u, start.v):
        shape = np.abs(np.asarray(start.u))
        if shape.min() > 0:
            size = float(shape.max())
            says = f"the least hyperbolic entropy at alpha = {size:.3g}, depth {start.depth}"
            return MinHyperbolicEntropy(size, depth=start.depth, shape=shape / size), says
    return None


def _both_ways(data: Entries) -> Entries:
    """Entries of a symmetric matrix with those of its transpose: the least nuclear norm of them is symmetric."""
    rows, cols = np.concatenate([data.rows, data.cols]), np.concatenate([data.cols, data.rows])
    return Entries(jnp.asarray(rows), jnp.asarray(cols), jnp.concatenate([data.y, data.y]), data.shape)
