"""What a model does in the lazy regime: the predictions of its tangent kernel at initialization."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import BadInput
from ..models.tangent import MEMORY
from ..problems import Entries, Split
from .base import FEASIBILITY, AbstractPredictor, Certificate, Reference
from .min_l2 import MinL2
from .parts.linear_system import no_answer, relative_gap, relative_residual, row_lengths
from .parts.margin import margin_reference, separation
from .parts.rivals import OutputFeatures, classes_of, lead, rival_reference, separate, spread
from .parts.tangent_rows import TangentRows


@dataclass(frozen=True, eq=False)
class KernelInterpolant(AbstractPredictor):
    r"""$f_0(x) + K(x, X)K^{+}(y - f_0(X))$ with $f_0$ the model as given and $K$ its tangent kernel there.

    Where gradient flow on the squared loss ends when the model barely moves: the least $\|h\|$ with
    $f_0(x_i) + \langle\nabla f_0(x_i), h\rangle = y_i$. The initial output is part of the solution; an initialization of output
    zero gives the plain kernel interpolant. `value` is $\|h\|$, the RKHS norm of $f - f_0$; `effective` are the dual
    weights $c$ with $h = \sum_i c_i\nabla f_0(x_i)$, of the shape of $y$. Predictions add $\langle\nabla f_0(x), h\rangle$
    to $f_0(x)$. `memory` bounds the bytes of Jacobian held; beyond it the kernel itself is factorized, at half the
    digits. Feasibility is relative to $y$ (to $y - f_0(X)$ where $y = 0$), by $h$ and by $c$: the larger.
    Assumes: a model of any output shape that the targets have; repeated and dependent samples are welcome.
    Source: woodworth2020, section 2.
    """

    model: Any
    memory: int = MEMORY

    def solve(self, data: Split | Entries) -> Reference:
        """The reference solution for these data, certified; not ok, with a proof, where there is none."""
        rows = TangentRows.of(type(self).__name__, self.model, data, self.memory)
        if rows.init.shape != rows.y.shape:
            raise BadInput(
                needed="KernelInterpolant compares outputs with targets of the same shape",
                given=f"outputs {rows.init.shape} and targets {rows.y.shape}",
                cure="Give targets of shape (n, k) to a model of k outputs, and of shape (n,) to one of a single number.",
            )
        left = rows.y - rows.init
        reference = MinL2()._solve(rows.rows, left.ravel())
        if reference.dual is None:
            return _nothing(rows, reference.certificate.infeasibility, reference.certificate.infeasibility, from_init=True)
        weights = reference.value * reference.dual.reshape(left.shape)
        h = reference.effective if rows.whole else rows.direction(weights)
        value, short = float(np.linalg.norm(h)), rows.direction(weights)
        bound = float(left.ravel() @ weights.ravel() / (np.linalg.norm(short) or 1.0))
        size, lengths = rows.y if rows.y.any() else left, row_lengths(rows.rows)
        residuals = [(rows.init + rows.moved(step) - rows.y).ravel() for step in (h, short)]
        shares = [relative_residual(residual, size.ravel(), lengths) for residual in residuals]
        certificate = Certificate(max(shares), relative_gap(bound, value))
        return Reference(weights, value, certificate, weights, rows.function(h, from_init=True), _note(*shares))


@dataclass(frozen=True, eq=False)
class KernelMaxMargin(AbstractPredictor):
    r"""The least $\|h\|$ with margins $y_i\langle\nabla f_0(x_i), h\rangle\ge 1$: the lazy phase of classification.

    `value` is that RKHS norm, the margin its inverse; `effective` are the dual weights $c$ with
    $h = \sum_i c_i\nabla f_0(x_i)$, so that predictions are $K(x, X)c$. The initial output is left out: the theory
    is of initializations of output zero, and outputs in the limit are large beside any other. A model of $k$ outputs takes
    classes, and margins are against every rival: $\langle\nabla f_{y_i}(x_i) - \nabla f_j(x_i), h\rangle\ge 1$; its
    dual weights have one column an output. Where nothing separates, the proof are Gordan's weights on the samples (or
    on pairs of a sample and a rival). `memory` as for the interpolant.
    Assumes: labels -1 and +1 for one output; classes 0 to k - 1, or rows with a single 1, for several.
    Source: lyu2024, theorem 3.4.
    """

    model: Any
    memory: int = MEMORY

    def solve(self, data: Split | Entries) -> Reference:
        """The reference solution for these data, certified; not ok, with a proof, where there is none."""
        rows = TangentRows.of(type(self).__name__, self.model, data, self.memory)
        return _of_classes(rows) if rows.sizes.outputs else _of_signs(rows)


def _of_signs(rows: TangentRows) -> Reference:
    """Two classes by the sign of one output."""
    y = rows.y
    if y.ndim != 1 or not np.isin(y, (-1.0, 1.0)).all():
        raise BadInput(
            needed="KernelMaxMargin needs labels in {-1, +1} for a model of one output",
            given=f"targets of shape {y.shape} with values from {y.min():g} to {y.max():g}",
            cure="Recode the labels, or give a model of one output a class.",
        )
    direction, a, proof = separation(rows.rows, y)
    reference = margin_reference(rows.rows, y, direction, a, norm="l2")
    if np.isinf(reference.value) or reference.dual is None:
        return _nothing(rows, proof, None if proof is None else y * proof)
    weights = y * reference.dual * reference.value
    return _separating(rows, reference, weights, float(reference.dual.sum()), lambda moved: y * moved)


def _of_classes(rows: TangentRows) -> Reference:
    """Classes by the largest of several outputs."""
    n, k = rows.x.shape[0], rows.sizes.k
    own, _ = classes_of("KernelMaxMargin", rows.y, k)
    features = OutputFeatures(rows.rows.reshape(n, k, -1))
    direction, mu, clash = separate(features, own, k)
    reference = rival_reference(features, own, direction, mu)
    if clash or np.isinf(reference.value) or reference.dual is None:
        return _nothing(rows, mu, spread(mu, own) if clash else None)
    weights = spread(reference.dual, own) * reference.value
    return _separating(rows, reference, weights, float(reference.dual.sum()), lambda moved: lead(moved, own))


def _separating(rows: TangentRows, reference: Reference, weights: np.ndarray, total: float, margins) -> Reference:
    """The direction at least margin 1, certified with the model's own derivatives, by itself and by its weights."""
    short = rows.direction(weights)
    h = reference.effective if rows.whole else short
    least = float(margins(rows.moved(h)).min())
    if not least > 0:
        return _nothing(rows, None, None)
    h, weights, short = h / least, weights / least, short / least
    shares = [max(0.0, 1 - float(margins(rows.moved(step)).min())) for step in (h, short)]
    value = float(np.linalg.norm(h))
    # The dual weights have length one as a direction, up to the rounding that is measured here.
    bound = total * reference.value / least / float(np.linalg.norm(short))
    certificate = Certificate(max(shares), relative_gap(bound, value))
    function = rows.function(h, from_init=False)
    return Reference(weights, value, certificate, reference.dual, function, _note(*shares))


def _nothing(rows: TangentRows, proof: np.ndarray | None, mix: np.ndarray | None, *, from_init=False) -> Reference:
    """No solution, with the proof where the mix of gradients that it stands for does cancel."""
    shape = (rows.x.shape[0], *rows.sizes.outputs)
    reference = no_answer(int(np.prod(shape)), proof if mix is not None and rows.cancels(mix) else None)
    function = rows.function(np.zeros(rows.sizes.p), from_init=from_init)
    return replace(reference, effective=np.zeros(shape), function=function)


def _note(by_direction: float, by_weights: float) -> str:
    """What to know when a kernel near to singular leaves the dual weights too few digits, while predictions have enough."""
    if by_direction <= FEASIBILITY < by_weights:
        weights = f"the dual weights leave a residual of {by_weights:.1e}, as the kernel is nearly singular"
        return f"{weights}; predictions one of {by_direction:.1e}"
    return ""
