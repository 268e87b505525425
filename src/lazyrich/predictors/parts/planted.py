"""Whether a planted matrix is what least nuclear norm finds."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ...errors import BadInput
from ...problems import Entries, Split
from ..base import FEASIBILITY, Reference
from ..matrix_predictor import measured, relative_residual, singular_values
from ..min_nuclear import MinNuclear

# Norms of two matrices that meet the measurements to rounding are the same within this.
_SAME = 1e-9


@dataclass(frozen=True)
class Recovery:
    """The verdict, the planted matrix's nuclear norm, and the reference it was compared with.

    `yes`: its norm is within the certified interval [value (1 - gap), value], so no matrix does better by more than the
    gap. `no`: it does not fit the measurements, or the reference meets them with a smaller norm. `undecided`: the reference is
    not certified and no better.
    """

    verdict: Literal["yes", "no", "undecided"]
    norm: float
    reference: Reference


def planted_is_minimizer(data: Split | Entries, truth: ArrayLike) -> Recovery:
    """Whether a planted matrix has the least nuclear norm among those that meet the measurements."""
    given, y = measured("planted_is_minimizer", data)
    matrix = np.asarray(truth, float)
    if matrix.shape != given.shape or not np.isfinite(matrix).all():
        raise BadInput(
            needed=f"truth must be a matrix of {given.shape[0]} x {given.shape[1]} finite numbers",
            given=f"shape {matrix.shape} with {int((~np.isfinite(matrix)).sum())} that are not finite",
            cure="Give the matrix that was measured.",
        )
    reference, norm = MinNuclear().solve(data), float(singular_values(matrix).sum())
    if relative_residual(given, y, matrix) > FEASIBILITY or (norm > reference.value * (1 + _SAME) and _meets(reference)):
        return Recovery("no", norm, reference)
    return Recovery("yes" if reference.ok else "undecided", norm, reference)


def _meets(reference: Reference) -> bool:
    return reference.certificate.infeasibility is None and reference.certificate.feasibility <= _SAME
