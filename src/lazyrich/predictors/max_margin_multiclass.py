"""The linear maps of largest margin between several classes."""

from dataclasses import dataclass, replace

import numpy as np

from ..problems import Entries, Split
from .base import AbstractPredictor, Reference, as_inputs, require_vectors
from .parts.linear_system import cancels, no_answer
from .parts.margin import VANISHED
from .parts.rivals import InputFeatures, classes_of, rival_reference, separate, spread


@dataclass(frozen=True, eq=False)
class MaxMarginMulticlass(AbstractPredictor):
    r"""$\arg\min_W\|W\|_F$ subject to $\langle w_{y_i} - w_j,\, x_i\rangle\ge 1$ for all $j\ne y_i$, without intercept.

    `effective` has one column a class, `value` is the least Frobenius norm: the margin is its inverse. `dual` are
    weights $\mu_{ij}\ge 0$ on samples and rivals that certify it. Where no $W$ separates, the solution is zeros of
    infinite value, not ok, and the proof is such weights of sum one with $\sum_{ij}\mu_{ij}(e_{y_i} - e_j)x_i^\top = 0$.
    Assumes: classes 0 to k - 1, or rows with a single 1; `classes` counts also those that no sample has.
    Source: lyu2024, section 2.
    """

    classes: int | None = None

    def solve(self, data: Split | Entries) -> Reference:
        """The reference solution for these data, certified; not ok, with a proof, where there is none."""
        x, y = require_vectors(type(self).__name__, data)
        own, k = classes_of(type(self).__name__, y, self.classes)
        basis, short = _shortened(x)
        direction, mu, clash = separate(InputFeatures(short, k), own, k)
        if clash:
            reference = no_answer(x.shape[1] * k, mu if cancels(spread(mu, own), x, share=VANISHED) else None)
        else:
            reference = rival_reference(InputFeatures(x, k), own, basis @ direction, mu)
        effective = reference.effective.reshape(x.shape[1], k)
        return replace(reference, effective=effective, function=lambda new: as_inputs(new, x.shape[1:]) @ effective)


def _shortened(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An orthonormal basis and the inputs in it, if there are more inputs than samples; else the inputs as they are."""
    if x.shape[1] <= x.shape[0]:
        return np.eye(x.shape[1]), x
    basis, triangle = np.linalg.qr(x.T)
    return basis, triangle.T
