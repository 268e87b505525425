r"""Corollary 4: a level of imbalance alone makes the loss fall at a rate of $2\lambda_r(\Sigma)\,\underline\Delta$."""

import numpy as np

from ...lab.settings.linear_net_flow import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .decay import fall, over_bound, rates


def told(data, factor):
    """The rate that the level of imbalance guarantees."""
    return factor * data.least * data.level


def judge(data, factor) -> Evidence:
    """The loss and the rate beside what the level of imbalance guarantees, and that there is no margin to help."""
    return Evidence(
        sound=[
            at_least(
                "log10 of the guaranteed rate over the first rate, the least",
                np.log10(told(data, factor) / data.rate.isel(t=0)).min(),
                -6,
                why="the hypothesis: a level above zero, as random layers with more units than rows have",
            )
        ],
        holds=[
            at_most(
                "log of the loss over its bound, the largest",
                over_bound(data, told(data, factor)).max(),
                0,
                why="the corollary; errors are at first faster than the slowest mode, so the bound is not met exactly",
            ),
            at_least(
                "rate at any time over the bound, the least",
                (data.rate / told(data, factor)).min(),
                1,
                why="theorem 3 with the margin at zero",
            ),
        ],
    )


def draw(data, factor) -> Drawing:
    """Loss and rate of one draw by the ratio of the layers, white inputs."""
    one = data.isel(trial=0, tilt=0, away=0, near=0, imbalance=0)
    runs = [(f"U over V: {r:g}", one.sel(ratio=r), told(one, factor).sel(ratio=r)) for r in data.ratio.values[-2:]]
    return Drawing(
        [fall(runs, "Loss and bound"), rates(runs, "Rate and bound")],
        caption="Layers of unequal size with one product. The level of imbalance does not change along the flow, and "
        "the rate cannot fall below twice that level.",
    )


CLAIM = Claim(
    kind="corollary",
    title="A level of imbalance is enough",
    says="If the imbalance has r positive and m negative eigenvalues, the loss falls exponentially at a rate of at "
    "least 2 lambda_r(X^T X) times the sum of the least of each, whatever the product of the layers.",
    source="min2021, corollary 4",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 2.0},
    sizes={size: {"near": (0,), "imbalance": (0.0,)} for size in ("quick", "paper")}
    | {"smoke": {"near": (0,), "imbalance": (1.0,)}},
    control=Control(
        "four times the level",
        changes={"factor": 4.0},
        breaks=("log of the loss over its bound, the largest", "rate at any time over the bound, the least"),
    ),
    seconds={"quick": 12, "paper": 60},
)
