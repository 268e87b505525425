"""Imbalance at a fixed product: training time is inversely proportional to the level, the number of stable steps is not."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Panel, Points
from ...claims.labelled import farthest
from ...claims.marks import log_axis, power_law
from .shared.convergence import time_to
from .simulations.linear_net_flow import SIMULATION

FRACTION = 1e-3
RATIOS = {"ratio": (0.02, 0.14, 1.0, 7.0, 50.0), "near": (0,)}


def pace(data, ends):
    """The exponent of the level of imbalance in the time to a loss of 1e-3, between two ratios of the layers."""
    times = time_to(data, FRACTION)
    rise = [np.log(part.sel(ratio=ends[0]) / part.sel(ratio=ends[1])) for part in (times, data.level)]
    return (rise[0] / rise[1]).median("trial")


def gain(data):
    """The final slowest rate times the largest stable learning rate, over that of equal layers."""
    found = (data.lemma_7 / data.top).isel(t=-1)
    return found / found.sel(ratio=1.0)


def judge(data, ratio, power) -> Evidence:
    """The exponent of the level with either layer the larger, and what is gained at the largest stable learning rate."""
    most = [(ratio.values[0], ratio.values[1]), (ratio.values[-1], ratio.values[-2])]
    name = "exponent of the level in the training time"
    why = "the asymptotic rate is twice the slowest mode, which is the level where one layer dominates; the other adds 1/49"
    return Evidence(
        holds=[
            *(
                near(f"{name}, large {layer} layer", farthest(pace(data, ends), power), power, 0.1, key=layer, why=why)
                for layer, ends in zip(("second", "first"), most, strict=True)
            ),
            at_most(
                "rate at the largest stable learning rate over that of equal layers, largest median",
                gain(data).median("trial").max(),
                2,
                key="per_step",
                why="fastest and slowest modes grow together: what remains is the condition number of one layer instead of both",
            ),
        ]
    )


def draw(data, ratio) -> Drawing:
    """Times against the level, and the rate at the largest stable learning rate against the ratio of the layers."""
    white = data.isel(tilt=0, away=0, near=0, imbalance=0)
    times, levels = (part.median("trial") for part in (time_to(white, FRACTION), white.level))
    sides = {"large first layer": ratio.values[ratio.values > 1], "large second layer": ratio.values[ratio.values < 1]}
    marks = []
    for role, (name, side) in zip(SERIES, sides.items(), strict=False):
        points = Points(name, levels.sel(ratio=side).values, times.sel(ratio=side).values, role=role)
        marks += [points, power_law(r"$1/\Delta$", [points], -1)]
    equal = Points("equal layers", [float(levels.sel(ratio=1.0))], [float(times.sel(ratio=1.0))], role="control")
    speed = gain(data).median("trial").isel(away=0, near=0, imbalance=0)
    steps = [
        Points("whitened inputs" if tilt == 0 else "Gaussian inputs", ratio.values, speed.sel(tilt=tilt).values, role=role)
        for role, tilt in zip(SERIES, data.tilt.values, strict=False)
    ]
    level, time = log_axis(r"level of imbalance $\Delta$"), log_axis(r"time to $\tilde L(t) = 10^{-3}\tilde L(0)$")
    scale, per_step = log_axis("scale of $U$ over that of $V$"), Axis("rate per step, over equal layers", low=0, high=3.2)
    return Drawing(
        [
            Panel([*marks, equal], level, time, title="Gradient flow"),
            Panel(steps, scale, per_step, title="Gradient descent, largest stable learning rate"),
        ],
        caption="One product of the layers, with the first larger than the second or the reverse. Gradient flow needs less time "
        "the more imbalanced the layers are; gradient descent at the largest stable learning rate gains little.",
    )


CLAIM = Claim(
    id="min2021/imbalance_speeds_up",
    kind="statement",
    title="Imbalance saves time, not steps",
    says=r"For a fixed product and strongly imbalanced layers the training time of gradient flow is proportional to $1/\Delta$, "
    r"with $\Delta$ the level of imbalance, whichever layer is larger. The largest stable learning rate of gradient descent "
    "decreases as well, so that the rate per step is at most twice that of equal layers.",
    source="min2021, section 5.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": -1.0},
    sizes={"smoke": RATIOS, **{size: {**RATIOS, "imbalance": (0.0,), "efolds": 40.0} for size in ("quick", "paper")}},
    least={"ratio": 5},
    controls=[Control(r"$\Delta^{-1/2}$ in place of $\Delta^{-1}$", changes={"power": -0.5}, breaks=("second", "first"))],
    seconds={"quick": 14, "paper": 60},
)
