"""The part of the first layer that no input sees never moves, and the loss is the excess and a constant."""

import numpy as np

from ...lab.settings.linear_net_whole import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Rule


def judge(data) -> Evidence:
    """How far the unseen part moves, the loss less excess and constant, and that the excess is not all of it."""
    off = abs(data.loss - data.excess - data.least) / data.loss
    return Evidence(
        sound=[
            at_least(
                "log10 of the loss that no map avoids, over the first loss, the least",
                np.log10(data.least / data.loss.isel(t=0)).min(),
                -3,
                why="more samples than the inputs have rank: else the constant would be zero",
            )
        ],
        holds=[
            at_most(
                "unseen part less that of the start, relative, the largest",
                data.moved.max(),
                1e-12,
                why="every gradient is in the span of the inputs; rounding of some hundred steps",
            ),
            at_most(
                "loss less excess and constant, relative, the largest",
                off.max(),
                1e-12,
                why="Pythagoras in the samples; rounding",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The loss with the constant it tends to, and how far the unseen part has moved."""
    one = data.isel(trial=0, q=0)
    moved = [
        Line(
            f"draw {at + 1}",
            one.time.values[1:],
            data.moved.isel(trial=at, q=0).values[1:] + 1e-18,
            role=SERIES[at % 3],
        )
        for at in range(min(3, data.sizes["trial"]))
    ]
    return Drawing(
        [
            Panel(
                [
                    Line("loss", one.time.values, one.loss.values),
                    Line("excess", one.time.values, one.excess.values, role="second"),
                    Rule("what no map avoids", float(one.least)),
                ],
                x=Axis("time"),
                y=Axis("loss", scale="log"),
                title="The loss is the excess and a constant",
            ),
            Panel(
                moved, x=Axis("time"), y=Axis("relative move", scale="log", high=1e-10), title="The unseen part stays"
            ),
        ],
        caption="Inputs of less rank than samples and dimensions. The flow sees the first layer only through the span "
        "of the inputs; the rest stays where it was, to rounding.",
    )


CLAIM = Claim(
    kind="statement",
    title="What no input sees stays as it was",
    says="Along the flow the part of the first layer outside the span of the inputs is constant, and the loss is half "
    "the squared error within the span of the samples plus the constant |(I - W W^T) Y|^2/2 that no map avoids.",
    source="min2021, equations 7 and 8",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "a decay of the weights",
        changes={"decay": 0.05},
        breaks=("unseen part less that of the start, relative, the largest",),
    ),
    seconds={"quick": 10, "paper": 60},
)
