"""Erratum: misgrokking does not end near 50%, but at the accuracy of the largest l1 margin."""

import numpy as np

from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Band, Drawing, Line, Panel, Points, Rule
from .figure_1b import SIMULATION, refer


def judge(data, told, decay, form) -> Evidence:
    """Test accuracy at the end beside the level of each draw."""
    early, late = told["early_accuracy"], told["late_accuracy"]
    level = late if form == "corrected" else 0.5 + 0 * late
    missing = (early - level) / np.log(1 / decay)
    end = data.test.isel(t=-1)
    return Evidence(
        sound=[
            at_least(
                "accuracy of the largest l2 margin",
                early.min(),
                0.99,
                why="where the dense answer is wrong too there is nothing to lose",
            ),
            at_least(
                "least margin at the end over log(1/decay)",
                (data.margin / np.log(1 / decay)).min(),
                0.5,
                why="data that are not fitted have no level: margins are log(1/decay) + O(1)",
            ),
        ],
        holds=[
            near(
                "test accuracy at the end, the mean draw",
                end.mean(),
                level.mean(),
                missing.mean(),
                why="the margin nears its limit like 1/log(1/decay), here 0.14: so much of the fall may be missing",
            ),
            at_most(
                "distance from its level over what may be missing, the farthest draw",
                (abs(end - level) / missing).max(),
                1.5,
                why="the same, draw by draw, and half more for the farthest: the level is one of the data",
            ),
        ],
    )


def draw(data, told) -> Drawing:
    """Test accuracy in time, and its end against the accuracy of the largest l1 margin, draw by draw."""
    shown, late = data.isel(t=slice(1, None)), told["late_accuracy"]
    time, end = shown.time.isel(trial=0).values, data.test.isel(t=-1)
    ends = [0.48, float(max(late.max(), end.max())) + 0.03]
    return Drawing(
        [
            Panel(
                [
                    Band("all draws", time, shown.test.min("trial").values, shown.test.max("trial").values),
                    Line("test accuracy, median", time, shown.test.median("trial").values),
                    Rule("largest l1 margin, mean", float(late.mean())),
                    Rule("printed: 50%", 0.5, role="control"),
                ],
                x=Axis("time", unit="rate x steps", scale="log"),
                y=Axis("test accuracy", low=0.45, high=1.03),
                title="Right first, worse later",
            ),
            Panel(
                [
                    Points("one draw", late.values, end.values),
                    Line("equal", ends, ends, role="theory"),
                    Rule("printed: 50%", 0.5, role="control"),
                ],
                x=Axis("accuracy of the largest l1 margin", low=ends[0], high=ends[1]),
                y=Axis("test accuracy at the end", low=ends[0], high=ends[1]),
                title="Every draw has its own level",
            ),
        ],
        caption="Test accuracy of a diagonal net on classes that lie apart along a dense direction. It falls late, to the "
        "accuracy of the largest l1 margin of the draw, which theory knows without training, and which is above one half.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Where misgrokking ends",
    says="Where the kernel's answer generalizes and the sparse one does not, test accuracy falls to that of the largest l1 "
    "margin of the data, a level that each draw has of its own (0.55 to 0.57 with 32 samples and a gap of 25 in 100,000 "
    "dimensions); printed is that it drops to nearly 50%.",
    source="lyu2024, section 3.2.3 and figure 1b",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"form": "corrected"},
    sizes={"quick": {"d": 2_000, "gap": 8.0, "points": 100}},
    control=Control(
        "the level as printed: one half",
        changes={"form": "printed"},
        breaks=("test accuracy at the end, the mean draw",),
    ),
    seconds={"quick": 12, "paper": 110},
)
