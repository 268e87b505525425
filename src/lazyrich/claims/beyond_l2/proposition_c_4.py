r"""Proposition C.4: $\mu(A, B)$ between norms of $M = A^\top B$, and $\sqrt{1-\delta_s(M)}\le\frac{m+s}2\mu(A, B)$."""

import numpy as np

from ...lab.settings.paired_frames import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def bounds(data) -> dict:
    """What the coherence must not be below, and what it must not exceed, by the number of the equation."""
    m, n, s = data.m, data.n, data.s
    share = np.maximum(m, s) ** 0.5 / (m * s)
    smaller = np.minimum(m, n) ** 0.5
    return {
        "8": (np.maximum(data.column / m, data.row / s), np.minimum(data.column_all, data.row_all)),
        "norms": (share * data.operator, smaller * data.operator_all),
        "10": (share * data.kept**0.5, smaller * data.grown**0.5),
        "7": (2 * data.kept**0.5 / (m + s), np.inf),
    }


def judge(data) -> Evidence:
    """Every link of the chain on every pair, for the worst set of columns."""
    found = bounds(data)
    below = {name: ((low - data.coherence) / data.coherence).max() for name, (low, _) in found.items()}
    above = {name: ((data.coherence - high) / data.coherence).max() for name, (_, high) in found.items()}
    equal = data.isel(r=-2)
    return Evidence(
        holds=[
            at_most(
                "column and row sums over the coherence, less one, the largest (8)",
                below["8"],
                1e-12,
                why="a sum of m or s products of which none is larger; equality where all columns are equal, rounding",
            ),
            at_most(
                "coherence over all column and row sums, less one, the largest (8)",
                above["8"],
                1e-12,
                why="one product is part of a sum; equality for two columns, rounding",
            ),
            at_most(
                "what bounds between the norms of a matrix are missed by (9)",
                data.bent.max(),
                1e-12,
                why="lengths of vectors in l1 and l2 differ by the root of their number at most; rounding",
            ),
            at_most(
                "operator norms of s columns over the coherence, less one, the largest",
                below["norms"],
                1e-12,
                why="(8) and (9) together; equality for two columns, rounding",
            ),
            at_most(
                "coherence over the operator norm, less one, the largest",
                above["norms"],
                1e-12,
                why="(8) and (9) together; equality for two columns, rounding",
            ),
            at_most(
                "isometry constant of s columns against the coherence, the largest (10)",
                below["10"],
                1e-12,
                why="an operator norm is at least the root of 1 - delta",
            ),
            at_most(
                "coherence against the isometry constant of all columns, the largest (10)",
                above["10"],
                1e-12,
                why="an operator norm is at most the root of 1 + delta",
            ),
            at_most(
                "root of 1 - delta over (m + s)/2 times the coherence, less one, the largest (7)",
                below["7"],
                1e-12,
                why="an operator norm is at most the geometric mean of column and row sums, so sqrt(m s) times the coherence",
            ),
            at_most(
                "column sums over the coherence at equal columns, less one, the farthest",
                abs(equal.column / equal.m / equal.coherence - 1).max(),
                1e-12,
                why="all products are alike: no constant of (8) can be better",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The coherence of every pair beside its two bounds by operator norms."""
    low, high = bounds(data)["norms"]
    x, low, high = (part.transpose(*data.coherence.dims).values.ravel() for part in (data.coherence, low, high))
    ends = [float(x.min()), float(x.max())]
    return Drawing(
        [
            Panel(
                [
                    Points("lower bound", x, low),
                    Points("upper bound", x, high, role="second"),
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("coherence of A and B", scale="log"),
                y=Axis("bound by operator norms", scale="log"),
            )
        ],
        columns=1,
        caption="Every pair of matrices with unit columns: the coherence lies between two multiples of operator norms of "
        "A^T B; pairs on the line meet them.",
    )


CLAIM = Claim(
    kind="proposition",
    title="Coherence of two matrices between norms",
    says="For unit columns the largest product of a column of A (m of them) with one of B lies between column and row sums of "
    "M = A^T B and between its operator norms, max(sqrt(m), sqrt(s))/(m s) |M_J| for every set J of s columns and "
    "min(sqrt(m), sqrt(n)) |M|; and the root of 1 - delta_s(M) is at most (m + s)/2 times it.",
    source="beyond_l2, proposition C.4",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "columns of length 1.4: the coherence is of directions, the norms are not",
        changes={"length": 1.4},
        breaks=(
            "column and row sums over the coherence, less one, the largest (8)",
            "operator norms of s columns over the coherence, less one, the largest",
            "isometry constant of s columns against the coherence, the largest (10)",
            "root of 1 - delta over (m + s)/2 times the coherence, less one, the largest (7)",
            "column sums over the coherence at equal columns, less one, the farthest",
        ),
    ),
    seconds={"quick": 2, "paper": 90},
)
