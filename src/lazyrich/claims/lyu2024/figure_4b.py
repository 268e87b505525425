"""Figure 4b: without decay the transition of modular addition is not sharp, not even in the logarithm of time."""

import numpy as np

from ...lab.settings.addition_without_decay import SIMULATION
from ..base import Claim, Control, Evidence, at_least, near
from ..drawing import Axis, Drawing, Panel
from .tower import curves, instruments


def judge(data, growth) -> Evidence:
    """How far apart in log t a tenth and a half of the test accuracy are, and how the loss follows the time."""
    last = data.isel(t=-1)
    early, late = (data[name].clip(max=last.log_time) for name in ("t10", "t50"))
    slope = -last.loss / np.log(10) / last.log_time
    return Evidence(
        sound=instruments(data),
        holds=[
            at_least(
                "log10 of the time of half the test accuracy over that of a tenth, the median draw",
                (late / early).median(),
                1.5,
                why="not sharp: log(t) grows by half and more between them, where with decay t itself does not grow tenfold",
            ),
            near(
                "log10(1/L) at the end over log10 of the time, the median draw",
                slope.median(),
                growth,
                0.15,
                why="L is 1/t up to powers of log(t): two or three of them in tens",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Accuracies against the logarithm of the logarithm of time, and the loss against time."""
    panel = Panel(
        curves(data, lambda log_time: log_time),
        x=Axis("log10 of time", scale="log"),
        y=Axis("accuracy", low=0.0, high=1.04),
    )
    return Drawing(
        [panel],
        columns=1,
        caption="Modular addition without decay against log10 of time, itself on a logarithmic axis: the climb of the test "
        "accuracy takes a good part of it. With decay it takes less than a tenfold of time itself.",
    )


CLAIM = Claim(
    kind="figure",
    title="Without decay the transition is not sharp",
    says="Without decay the test accuracy on modular addition climbs slowly even in log(log(t)): from a tenth to a half log(t) "
    "grows by a factor; the loss meanwhile falls like 1/t.",
    source="lyu2024, figure 4b",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"growth": 1.0},
    control=Control(
        "stopped near t = 1e4, where with decay all is over",
        changes={"steps": 300},
        breaks=("log10 of the time of half the test accuracy over that of a tenth, the median draw",),
        size="quick",
    ),
    sizes={"paper": {"trials": 2}},
    seconds={"quick": 20, "paper": 150},
)
