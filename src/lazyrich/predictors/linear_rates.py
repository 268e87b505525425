"""How fast a two-layer linear net must fit, and how far from the least norm it ends, from its initialization alone."""

from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from ..losses import Reduction, sample_weight
from ..models import LinearNet
from ..numerics.values import require_double
from ..problems import Split
from .parts.arguments import require_reduction


@dataclass(frozen=True, eq=False)
class LinearNetRates:
    r"""What the imbalance $D = U_1^\top U_1 - V^\top V$ of an init $(U, V)$ says of $-\dot L/L$, $L$ the excess of squared loss.

    $U_1$ is the part of $U$ that the inputs span. `positive` and `negative` are the top and bottom of $D$'s eigenvalues
    of each sign (zero beyond the rank), `level` the sum of the bottoms. `momentary` is the rate at initialization (infinite at a
    fit); `lemma_7` and `proposition_1` bound it below; `guaranteed` holds for all later times and `asymptotic` is its
    limit as the loss vanishes. `defect` is $\|(VU_2^\top, U_1U_2^\top)\|_F$, zero where the flow ends at the least norm.
    Rates are those of the flow on the loss with the given reduction.
    Source: min2021, proposition 1 and theorem 3.
    """

    positive: tuple[float, float]
    negative: tuple[float, float]
    excess: float
    momentary: float
    lemma_7: float
    proposition_1: float
    guaranteed: float
    asymptotic: float
    defect: float

    @property
    def level(self) -> float:
        """The effective level of imbalance."""
        return self.positive[1] + self.negative[1]

    def excess_at_most(self, times) -> np.ndarray:
        r"""$L(0)e^{-ct}$ with the guaranteed rate $c$."""
        return self.excess * np.exp(-self.guaranteed * np.asarray(times, float))

    def time_to(self, share: float) -> float:
        """The latest time at which the excess is down to this share of the initialization; infinite without a guarantee."""
        return float(np.log(1 / share) / self.guaranteed) if self.guaranteed > 0 else float("inf")

    @classmethod
    def of(cls, data: Split, init: LinearNet, *, reduction: Reduction) -> "LinearNetRates":
        """The rates of this initialization on these data."""
        reduced = _Reduced.of(data, init)
        clock = 2 * sample_weight(require_reduction(reduction), data.n)
        seen, v, scale = reduced.seen, reduced.v, reduced.scale
        positive, negative = _imbalance(seen, v)
        least, most = scale[-1] ** 2, scale[0] ** 2
        error = reduced.target - scale[:, None] * (seen @ v.T)
        size = float(np.linalg.norm(error))
        pull = np.sum(((scale[:, None] * error) @ v) ** 2) + np.sum((error.T @ (scale[:, None] * seen)) ** 2)
        tops = np.linalg.svd(reduced.target, compute_uv=False)

        def bracket(singular):
            return least * clock * _bracket(positive, negative, singular, seen.shape[0], v.shape[0])

        return cls(
            positive=positive,
            negative=negative,
            excess=clock * size**2 / 2,
            momentary=clock * 2 * float(pull) / size**2 if size > 0 else float("inf"),
            lemma_7=clock * 2 * least * (_bottom(seen) + _bottom(v)),
            proposition_1=bracket(np.linalg.svd(seen @ v.T, compute_uv=False)),
            guaranteed=bracket(np.maximum(tops - size, 0.0) / np.sqrt(most)),
            asymptotic=bracket(tops / np.sqrt(most)),
            defect=float(np.hypot(np.linalg.norm(v @ reduced.unseen.T), np.linalg.norm(seen @ reduced.unseen.T))),
        )


@dataclass(frozen=True, eq=False)
class _Reduced:
    """The data by their singular values, and the rows of U that they see and do not see."""

    scale: np.ndarray
    target: np.ndarray
    seen: np.ndarray
    unseen: np.ndarray
    v: np.ndarray

    @classmethod
    def of(cls, data: Split, init: LinearNet) -> "_Reduced":
        require_double("LinearNetRates")
        x, y, u, v = (np.asarray(part, float) for part in (data.x, data.y, init.u, init.v))
        y = y[:, None] if y.ndim == 1 else y
        if x.ndim != 2 or u.shape[0] != x.shape[1] or v.shape[0] != y.shape[1]:
            raise BadInput(
                needed="the net takes the inputs of the data and gives as many outputs",
                given=f"x {x.shape}, y {y.shape}, u {u.shape}, v {v.shape}",
                cure="Build the LinearNet with dim and outputs of the data.",
            )
        left, scale, right = np.linalg.svd(x, full_matrices=False)
        rank = int((scale > max(x.shape) * np.finfo(float).eps * scale[0]).sum())
        if rank == 0:
            raise BadInput(needed="inputs that are not all zero", given="zeros", cure="Give data to fit.")
        frame = right[:rank]
        return cls(scale[:rank], left[:, :rank].T @ y, frame @ u, u - frame.T @ (frame @ u), v)


def _imbalance(seen: np.ndarray, v: np.ndarray) -> tuple[tuple[float, float], tuple[float, float]]:
    r"""Top and bottom positive and negative parts of $U_1^\top U_1 - V^\top V$, without forming it."""
    r, m = seen.shape[0], v.shape[0]
    triangle = np.linalg.qr(np.vstack([v, seen]).T)[1]
    signs = np.concatenate([-np.ones(m), np.ones(r)])
    values = np.sort(np.linalg.eigvalsh((triangle * signs) @ triangle.T))[::-1]

    def part(ordered, place):
        return float(max(ordered[place], 0.0)) if place < ordered.size else 0.0

    return (part(values, 0), part(values, r - 1)), (part(-values[::-1], 0), part(-values[::-1], m - 1))


def _bracket(positive, negative, singular: np.ndarray, r: int, m: int) -> float:
    """The sum of the two brackets of proposition 1, for the singular values of the product."""
    level = positive[1] + negative[1]
    first = singular[m - 1] if m <= singular.size else 0.0
    second = singular[r - 1] if r <= singular.size else 0.0
    parts = ((positive[0] - positive[1], first), (negative[0] - negative[1], second))
    return float(sum(np.hypot(spread + level, 2 * size) - spread for spread, size in parts))


def _bottom(rows: np.ndarray) -> float:
    """The least eigenvalue of the Gram matrix of the rows."""
    sizes = np.linalg.svd(rows, compute_uv=False)
    return float(sizes[-1] ** 2) if rows.shape[0] <= rows.shape[1] else 0.0


def width_distance(data: Split, *, width: int, exponent: float) -> float:
    r"""$h^{1/2-2a}\sqrt{d - r}\,\bigl[\sum_i\sqrt{1 + (\theta_i/h^{1-2a})^2}\bigr]^{1/2}$, the defect of width $h$.

    The root mean square, over Gaussian initializations of standard deviation $h^{-a}$, of the Frobenius distance between the
    end of the flow and the least-norm solution with singular values $\theta_i$ (one an output, zeros included); the leading
    order in $h$, for any reduction. Falls like $h^{1/2-2a}$ for $a \le 1/2$ and like $h^{-a}$ beyond.
    Source: min2021, theorem 12.
    """
    x, y = np.asarray(data.x, float), np.asarray(data.y, float)
    y = y[:, None] if y.ndim == 1 else y
    solution = np.linalg.pinv(x, rcond=max(x.shape) * np.finfo(float).eps) @ y
    sizes = np.zeros(y.shape[1])
    found = np.linalg.svd(solution, compute_uv=False)
    sizes[: found.size] = found
    scale = float(width) ** (1 - 2 * exponent)
    spread = x.shape[1] - np.linalg.matrix_rank(x)
    return float(float(width) ** (0.5 - 2 * exponent) * np.sqrt(spread * np.hypot(1, sizes / scale).sum()))
