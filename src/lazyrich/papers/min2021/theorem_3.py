r"""Theorem 3: the loss falls at least like $e^{-\lambda_r(\Sigma)c(0)t}$, by the imbalance and the margin of the start."""

from dataclasses import replace

import numpy as np

from ...lab.settings.linear_net_flow import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Panel, Points, Rule
from .decay import fall, over_bound


def judge(data, ratio, factor) -> Evidence:
    """The loss and the rate beside the guarantee of the start, and how much of it is given away as the layers part."""
    told = data.guaranteed.isel(t=0)
    apart = (data.lemma_7.isel(t=-1) / told).sel(near=0).isel(ratio=-1)
    return Evidence(
        sound=[
            at_least(
                "log10 of the guaranteed rate over the first rate, the least",
                np.log10(told / data.rate.isel(t=0)).min(),
                -8,
                why="without imbalance and margin nothing is guaranteed",
            )
        ],
        holds=[
            at_most(
                "log of the loss over its bound, the largest",
                over_bound(data, factor * told).max(),
                0,
                why="the theorem; errors are at first faster than the slowest mode, so the bound is not met exactly",
            ),
            at_least(
                "rate at any time over the guaranteed one, the least",
                (data.rate / (factor * told)).min(),
                1,
                why="what the proof shows: the guarantee bounds the rate at all times",
            ),
            at_most(
                "slowest mode at the end over the guarantee, at the largest ratio of the layers",
                apart.max(),
                1.02,
                why="the layers' squares and the halves of the imbalance differ by the smaller layer's share, "
                "ratio^-2 = 4e-4",
            ),
        ],
    )


def draw(data, ratio) -> Drawing:
    """The loss of three starts with its bounds, and the tightness of the guarantee against the ratio of the layers."""
    one = data.isel(trial=0, tilt=0, away=0)
    pick = [
        ("equal layers", one.sel(near=0).isel(ratio=0, imbalance=0)),
        ("unequal layers", one.sel(near=0).isel(ratio=-1, imbalance=0)),
        ("near the target", one.sel(near=1).isel(ratio=0, imbalance=0)),
    ]
    runs = [(name, run.assign(time=run.time * run.guaranteed.isel(t=0)), 1.0) for name, run in pick]
    panel = fall(runs, "Loss and guarantee")
    bound = replace(panel.marks[1], name="guarantee")
    tight = (data.lemma_7.isel(t=-1) / data.guaranteed.isel(t=0)).sel(near=0).isel(imbalance=0, away=0, tilt=0)
    middle = tight.median("trial")
    return Drawing(
        [
            Panel([*panel.marks[::2], bound], x=Axis("guaranteed rate x time"), y=panel.y, title=panel.title),
            Panel(
                [Points("median", ratio.values, middle.values, error=tight.std("trial").values), Rule("equal", 1.0)],
                x=Axis("first layer over the second", scale="log"),
                y=Axis("slowest mode over the guarantee"),
                title="The guarantee grows tight",
            ),
        ],
        caption="Left: the loss of three starts on white inputs, in the time that the guarantee sets. Right: the rate "
        "of the slowest mode at the end over the rate that was guaranteed at the start, one product and layers of "
        "different size.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Imbalance or margin makes the loss fall exponentially",
    says="L(t) - L* <= exp(-lambda_r(X^T X) c(0) t) (L(0) - L*), with c(0) the bound of proposition 1 where the "
    "singular values of the product are replaced by the margin max(sigma(Y) - |E(0)|, 0) over the largest singular "
    "value of X.",
    source="min2021, theorem 3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 1.0},
    least={"near": 2, "ratio": 2},
    control=Control(
        "twice the rate",
        changes={"factor": 2.0},
        breaks=("log of the loss over its bound, the largest", "rate at any time over the guaranteed one, the least"),
    ),
    seconds={"quick": 15, "paper": 120},
)
