"""Figure 2b: a larger start delays the transition of modular addition, in the end by log(alpha)/decay."""

import numpy as np

from ...lab.settings.modular_addition import SIMULATION
from ..base import Claim, Control, Evidence, at_least, near
from ..drawing import Axis, Drawing, Panel, Points, Slope
from .addition import family, instruments


def judge(data, alpha, decay, factor) -> Evidence:
    """Half the test accuracy comes later with every scale, at the largest ones by the logarithm of their ratio."""
    slow = (data.t50 * decay).isel(decay=0)
    middle = slow.median("trial")
    shift = (slow.isel(alpha=-1) - slow.isel(alpha=-2)).mean("trial") / np.log(alpha[-1] / alpha[-2])
    return Evidence(
        sound=instruments(data),
        holds=[
            at_least(
                "least delay from one scale to the next, in slow time, the median draw",
                middle.diff("alpha").min(),
                0.2,
                why="a factor of three and more: at least a fifth of log(3) even where the start is not yet large",
            ),
            near(
                "delay between the two largest scales over that of log(alpha), the mean",
                shift,
                factor,
                0.4,
                why="scales enter by alpha exp(-decay t) once alpha is large; 0.4 is two standard errors of four draws",
            ),
            at_least(
                "test accuracy at the end, the median draw, the least",
                data.test.isel(t=-1).median("trial").min(),
                0.85,
                why="the delay is no failure: every curve ends near 1",
            ),
        ],
    )


def draw(data, alpha, decay) -> Drawing:
    """Test accuracy against time for each scale, and the times of half of it against the scale."""
    slow = (data.t50 * decay).isel(decay=0).transpose("alpha", "trial")
    x = np.repeat(alpha.values, slow.sizes["trial"])
    through = (float(alpha[-1]), float(np.exp(slow.isel(alpha=-1).median())))
    panels = [
        family(data.isel(decay=0), "alpha", "alpha"),
        Panel(
            [
                Points("each draw", x, np.exp(slow.values.ravel())),
                Slope("in proportion to alpha", [float(x.min()), float(x.max())], through, 1),
            ],
            x=Axis("alpha", scale="log"),
            y=Axis("exp(decay x time of half the test accuracy)", scale="log"),
            title="Half the test accuracy",
        ),
    ]
    return Drawing(
        panels,
        caption="Modular addition from a first layer of He size times alpha and a last layer of zeros: a larger start delays the "
        "transition, at large alpha by log(alpha)/decay.",
    )


CLAIM = Claim(
    kind="figure",
    title="A larger start delays the grokking of modular addition",
    says="With the last layer at zero and the first at alpha times its He size, the jump of the test accuracy comes later "
    "with every alpha from 1 to 100; at large alpha a factor delays it by its logarithm over the decay.",
    source="lyu2024, figure 2b",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 1.0},
    sizes={
        "smoke": {"alpha": (1.0, 4.0), "last": 0.0},
        "quick": {"alpha": (1.0, 4.0, 16.0), "last": 0.0},
        "paper": {"alpha": (1.0, 3.0, 10.0, 30.0, 100.0), "last": 0.0, "trials": 2},
    },
    least={"alpha": 2},
    control=Control(
        "twice the delay, as if outputs and not weights had to shrink by alpha",
        changes={"factor": 2.0},
        breaks=("delay between the two largest scales over that of log(alpha), the mean",),
    ),
    seconds={"quick": 45, "paper": 240},
)
