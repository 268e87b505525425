"""The lazy limit of wide two-layer ReLU nets of one input: interpolation with their tangent kernel."""

from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from .base import AbstractVectorPredictor, Certificate, Reference
from .linear_spline import contradiction, inputs_of, one_variable
from .min_l2 import MinL2
from .parts.arguments import require_between
from .parts.linear_system import relative_gap

_SINGULAR = "the kernel of these inputs is singular in double precision; bring inputs to size one"


@dataclass(frozen=True, eq=False)
class ReluKernelSpline(AbstractVectorPredictor):
    r"""$\arg\min\|f\|_K$ subject to $f(x_i) = y_i$, $K = c_{out}E[\sigma\sigma'] + c_{in}E[1_{>0}1'_{>0}](1 + xx') + b$.

    The tangent kernel of $f(x) = \sum_j w_j\sigma(u_jx + b_j) + b$ at infinite width, $u_j, b_j$ standard normal: `c_out` is the
    share of the second layer ($kc^2\alpha^2$ for width $k$, layer ratio $c$), `c_in` that of the first ($2\alpha^2/c^2$), `bias`
    whether $b$ is trained. `value` is $\|f\|_K$, `effective` the weights $a$ of the samples in $f = \sum_i a_iK(\cdot, x_i)$,
    and `dual` is $a/\|f\|_K$. Alone, the second layer has $\|f\|_K^2 = \tfrac\pi2\int f''^2(1 + x^2)^2 + 4(p^2 + q^2)$, where
    $p + qx$ is the mean of the two asymptotes: a weighted cubic spline whose linear part has a price too.
    Source: woodworth2020, appendix B.
    """

    c_out: float
    c_in: float
    bias: bool

    def __post_init__(self):
        """Shares from 0 on, not both 0."""
        for name in ("c_out", "c_in"):
            share = require_between(name, getattr(self, name), low=0.0, high=np.finfo(float).max)
            object.__setattr__(self, name, share)
        if self.c_out == self.c_in == 0:
            raise BadInput(
                needed="at least one of c_out and c_in must be positive",
                given="0 and 0",
                cure="Give the share of a layer that is trained.",
            )

    def kernel(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        r"""$K$ between two vectors of inputs.

        With $\vartheta$ the angle between $(x, 1)$ and $(x', 1)$, lengths times its sine and cosine are $|x - x'|$ and $1 + xx'$.
        """
        apart, along = np.abs(left[:, None] - right), 1 + left[:, None] * right
        turned = (np.pi - np.arctan2(apart, along)) * along
        return (self.c_out * (apart + turned) + self.c_in * turned) / (2 * np.pi) + float(self.bias)

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The least norm in features of the kernel, by its eigenvectors."""
        places = one_variable(x, "ReluKernelSpline")
        clash = contradiction(places, y)
        if clash is not None:
            return Reference(np.zeros(y.size), float("inf"), Certificate(float("inf"), float("inf"), clash))
        kernel = self.kernel(places, places)
        sizes, vectors = np.linalg.eigh(kernel)
        sizes = np.where(sizes > y.size * np.finfo(float).eps * sizes[-1], sizes, 0.0)
        reference = MinL2()._solve(vectors * np.sqrt(sizes), y)
        if reference.dual is None:
            return Reference(reference.effective, reference.value, Certificate(float("inf"), float("inf")), notes=_SINGULAR)
        return self._certified(kernel, places, y, reference.value * reference.dual)

    def _certified(self, kernel: np.ndarray, places: np.ndarray, y: np.ndarray, weights: np.ndarray) -> Reference:
        r"""Every $a$ bounds the norm below by $y^\top a/\sqrt{a^\top Ka}$; the norm of $f$ is that root."""
        value, residual = float(np.sqrt(max(weights @ kernel @ weights, 0.0))), kernel @ weights - y
        size = float(np.linalg.norm(y))
        certificate = Certificate(
            float(np.linalg.norm(residual)) / size if size > 0 else 0.0,
            relative_gap(float(y @ weights) / value if value > 0 else 0.0, value),
        )

        def function(new):
            inputs = inputs_of(new)
            return (self.kernel(np.atleast_1d(inputs), places) @ weights).reshape(inputs.shape)

        return Reference(weights, value, certificate, weights / value if value > 0 else weights, function)
