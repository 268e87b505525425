"""What theory predicts: a reference, with a certificate that does not trust the solver."""

import abc
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import BadInput
from ..numerics.values import require_double, require_finite
from ..problems import Entries, Split

FEASIBILITY = 1e-8
GAP = 1e-6


@dataclass(frozen=True)
class Certificate:
    """How far a solution can be from the truth, computed from the solution alone, relative.

    `feasibility`: the residual of the constraints, over the size of the data.
    `gap`: how far the value can be above the least one, over the value: a lower bound is value * (1 - gap).
    `infeasibility`: a vector that proves there is no solution, when there is none.
    """

    feasibility: float
    gap: float
    infeasibility: np.ndarray | None = None
    feasibility_limit: float = FEASIBILITY
    gap_limit: float = GAP

    @property
    def ok(self) -> bool:
        """Whether both numbers are within their limits (NaN never is)."""
        small = self.feasibility <= self.feasibility_limit and self.gap <= self.gap_limit
        return bool(small and self.infeasibility is None)


@dataclass(frozen=True)
class Reference:
    """A solution from theory: `effective`, the minimized `value`, and the `certificate`.

    `effective` is what the inputs are multiplied with, of an input's own shape, unless `function` says how
    outputs are computed (for kernels, where `effective` holds the dual weights).
    `dual` are the multipliers that certify it, one a sample. `notes` says what a reader should know of it.
    """

    effective: np.ndarray
    value: float
    certificate: Certificate
    dual: np.ndarray | None = None
    function: Callable[[np.ndarray], np.ndarray] | None = None
    notes: str = ""

    @property
    def ok(self) -> bool:
        """Whether the certificate holds."""
        return self.certificate.ok

    def predict(self, x) -> np.ndarray:
        """The outputs at new inputs, one a row (or one input alone)."""
        if self.function is not None:
            return np.asarray(self.function(x))
        inputs, one = as_inputs(x, self.effective.shape), self.effective.shape
        return np.tensordot(inputs, self.effective, axes=len(one))


def as_inputs(x, one: tuple[int, ...]) -> np.ndarray:
    """Inputs for a prediction: one of this shape, or one a row; anything else is refused."""
    inputs = np.asarray(x, float)
    if inputs.ndim not in (len(one), len(one) + 1) or inputs.shape[inputs.ndim - len(one) :] != one:
        raise BadInput(
            needed=f"predict takes one input of {' x '.join(map(str, one))} numbers, or one a row",
            given=f"shape {inputs.shape}",
            cure="Use inputs of the dimension it was solved for.",
        )
    return inputs


def require_vectors(name: str, data: Split | Entries) -> tuple[np.ndarray, np.ndarray]:
    """The data as double-precision arrays of the host, refused unless inputs are vectors and numbers finite."""
    require_double(name)
    if not isinstance(data, Split) or data.x.ndim != 2:
        raise BadInput(
            needed=f"{name} takes a Split whose inputs are vectors",
            given=f"inputs of shape {data.x.shape[1:]}" if isinstance(data, Split) else type(data).__name__,
            cure="Use MinNuclear or MinFrobenius for matrices, or give one vector a sample.",
        )
    require_finite(f"x given to {name}", data.x)
    require_finite(f"y given to {name}", data.y)
    return np.asarray(data.x, float), np.asarray(data.y, float)


class AbstractPredictor(abc.ABC):
    """Says where training should go, from the problem alone, never from a run."""

    @abc.abstractmethod
    def solve(self, data: Split | Entries) -> Reference:
        """The reference solution for these data, certified; not ok, with a proof, where there is none."""


def targets(who: str, y) -> np.ndarray:
    """The targets as checked numbers of the host, one a sample."""
    require_finite(f"y given to {who}", y)
    if y.ndim != 1:
        raise BadInput(
            needed=f"{who} takes one target a sample",
            given=f"targets of shape {y.shape}",
            cure="Solve for each column of y by itself.",
        )
    return np.asarray(y, float)


class AbstractVectorPredictor(AbstractPredictor):
    """A predictor for vector measurements with one target each."""

    signs_only: ClassVar[bool] = False
    """Whether targets must be labels -1 and +1."""

    def solve(self, data: Split | Entries) -> Reference:
        """The reference solution for these data, certified; not ok, with a proof, where there is none."""
        return self._solve(*self.numbers(data))

    def numbers(self, data: Split | Entries) -> tuple[np.ndarray, np.ndarray]:
        """The data as checked double-precision arrays of the host."""
        name = type(self).__name__
        x, y = require_vectors(name, data)
        y = targets(name, y)
        if self.signs_only and not np.isin(y, (-1.0, 1.0)).all():
            raise BadInput(
                needed=f"{name} needs labels in {{-1, +1}}",
                given=f"{np.unique(y).size} distinct values from {y.min():g} to {y.max():g}",
                cure="Recode the labels, or use an interpolating predictor such as MinL1 for real targets.",
            )
        return x, y

    @abc.abstractmethod
    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The solution for checked double-precision data."""
