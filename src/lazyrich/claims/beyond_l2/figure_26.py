r"""Figure 26: with decay alone every component ends at the ridge answer's, $N/n$ of the truth's and as much beside it."""

import numpy as np

from ...lab.settings.l2_alone import ALONE
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points
from .without_understanding import stable


def judge(data, n, d) -> Evidence:
    """Means over many draws of what is missed, of the part along the truth, and of the part across it."""
    spoiled = (data.recovery.isel(t=-1) ** 2).mean()
    return Evidence(
        sound=[stable(data)],
        holds=[
            near(
                "mean square recovery error",
                spoiled,
                1 - n / d,
                0.02,
                why="one draw's has a deviation of 0.064, the mean of 200 one of 0.0045",
            ),
            near(
                "mean part along the truth",
                data.along.mean(),
                n / d,
                0.02,
                why="Gaussian rows keep N/n of every direction, on average; decay takes less than 1e-3 of it",
            ),
            near(
                "mean square of the part across the truth",
                data.across.mean(),
                n * (d - n) / (d * (d + 2)),
                0.01,
                why="the kept share z has a beta law, and the part across is z(1 - z); deviation of the mean 0.002",
            ),
            at_most(
                "distance from the ridge answer at the end, relative, the largest",
                data.from_ridge.max(),
                1e-3,
                why="exp(-20) of the start is left, a share of 1e-7 of the answer",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Components of one draw over time, and at the end beside the truth."""
    one = data.isel(trial=0)
    support = np.flatnonzero(one.truth.values)
    others = np.flatnonzero(one.truth.values == 0)[:10]
    steps = one.steps.values[1:]
    marks = [
        *(Line("not of the truth", steps, one.weights.values[1:, i], role="control") for i in others),
        *(Line("of the truth", steps, one.weights.values[1:, i]) for i in support),
    ]
    every = np.arange(one.truth.size)
    return Drawing(
        [
            Panel(marks, x=Axis("steps", scale="log"), y=Axis("component"), title="Over time"),
            Panel(
                [
                    Points("truth", every, one.truth.values, role="second"),
                    Points("end", every, one.end.values),
                ],
                x=Axis("component"),
                y=Axis("value"),
                title="At the end",
            ),
        ],
        caption="One draw from a large start with decay alone. All components end near zero, at the ridge answer: the truth is "
        "shrunk to the share of directions that rows see, and as much is spread over all others.",
    )


CLAIM = Claim(
    kind="figure",
    title="With decay alone all components end near zero",
    says="From a large start with decay alone descent ends at the ridge answer: for Gaussian measurements it holds N/n of the "
    "truth on average, and misses 1 - N/n of its square.",
    source="beyond_l2, figure 26",
    simulation=ALONE,
    judge=judge,
    draw=draw,
    control=Control(
        "stopped before the decay has acted",
        changes={"reach": 0.2},
        breaks=(
            "mean square recovery error",
            "mean square of the part across the truth",
            "distance from the ridge answer at the end, relative, the largest",
        ),
    ),
    seconds={"quick": 10, "paper": 15},
)
