"""Imbalance at a fixed product: time falls like one over the level, the number of stable steps does not."""

import numpy as np

from ...lab.settings.linear_net_flow import SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest
from .decay import time_to

SHARE = 1e-3


def pace(data, ends):
    """The power of the time to a thousandth of the first loss in the level of imbalance, between two ratios."""
    times = time_to(data, SHARE)
    rise = [np.log(part.sel(ratio=ends[0]) / part.sel(ratio=ends[1])) for part in (times, data.level)]
    return (rise[0] / rise[1]).median("trial")


def gain(data):
    """The slowest rate at the end times the largest stable step, over that of equal layers."""
    found = (data.lemma_7 / data.top).isel(t=-1)
    return found / found.sel(ratio=1.0)


def judge(data, ratio, power) -> Evidence:
    """The power of the level in the time with either layer the larger, and what is gained at the largest stable step."""
    most = [(ratio.values[0], ratio.values[1]), (ratio.values[-1], ratio.values[-2])]
    why = "the loss falls at twice the slowest modes, which are the level where one layer leads; the other layer's "
    "share is 1/49"
    return Evidence(
        holds=[
            near(
                "power of the level in the time, a large second layer",
                farthest(pace(data, most[0]), power),
                power,
                0.1,
                why=why,
            ),
            near(
                "power of the level in the time, a large first layer",
                farthest(pace(data, most[1]), power),
                power,
                0.1,
                why=why,
            ),
            at_most(
                "rate at the largest stable step over that of equal layers, the largest of the medians",
                gain(data).median("trial").max(),
                2,
                why="fastest and slowest modes grow together: what is left is the ratio of one layer's edges to those "
                "of both",
            ),
        ],
    )


def draw(data, ratio) -> Drawing:
    """Times against the level, and the rate at the largest stable step against the ratio of the layers."""
    white = data.isel(tilt=0, away=0, near=0, imbalance=0)
    times, levels = (part.median("trial") for part in (time_to(white, SHARE), white.level))
    sides = {
        "larger first layer": ratio.values[ratio.values > 1],
        "larger second layer": ratio.values[ratio.values < 1],
    }
    marks = []
    for role, (name, side) in zip(SERIES, sides.items(), strict=False):
        x, y = (part.sel(ratio=side).values for part in (levels, times))
        last = int(np.argmax(x))
        marks += [
            Points(name, x, y, role=role),
            Slope("1/level", [x.min(), x.max()], (float(x[last]), float(y[last])), -1),
        ]
    equal = Points("equal layers", [float(levels.sel(ratio=1.0))], [float(times.sel(ratio=1.0))], role="control")
    speed = gain(data).median("trial").isel(away=0, near=0, imbalance=0)
    steps = [
        Points("white inputs" if tilt == 0 else "Gaussian inputs", ratio.values, speed.sel(tilt=tilt).values, role=role)
        for role, tilt in zip(SERIES, data.tilt.values, strict=False)
    ]
    return Drawing(
        [
            Panel(
                [*marks, equal],
                x=Axis("level of imbalance", scale="log"),
                y=Axis("time to a thousandth of the loss", scale="log"),
                title="The flow",
            ),
            Panel(
                steps,
                x=Axis("first layer over the second", scale="log"),
                y=Axis("rate per step over equal layers", low=0, high=3.2),
                title="The largest stable step",
            ),
        ],
        caption="One product of the layers, the first larger than the second or the reverse. The flow needs less time "
        "the more imbalanced the layers are; at the largest stable step little is gained.",
    )


CLAIM = Claim(
    kind="statement",
    title="Imbalance is fast by the clock, not by the step",
    says="At a fixed product the time to fit falls like one over the level of imbalance, whichever layer is the "
    "larger. The largest stable step of descent falls as well, so that the rate per step stays within a factor of "
    "three of that of equal layers.",
    source="min2021, section 5.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": -1.0},
    sizes={
        "smoke": {"ratio": (0.02, 0.14, 1.0, 7.0, 50.0), "near": (0,)},
        "quick": {"ratio": (0.02, 0.14, 1.0, 7.0, 50.0), "near": (0,), "imbalance": (0.0,), "efolds": 40.0},
        "paper": {"ratio": (0.02, 0.14, 1.0, 7.0, 50.0), "near": (0,), "imbalance": (0.0,), "efolds": 40.0},
    },
    least={"ratio": 5},
    control=Control(
        "one over the root of the level",
        changes={"power": -0.5},
        breaks=(
            "power of the level in the time, a large second layer",
            "power of the level in the time, a large first layer",
        ),
    ),
    seconds={"quick": 14, "paper": 60},
)
