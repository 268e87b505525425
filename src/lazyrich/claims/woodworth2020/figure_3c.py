r"""Figure 3c: deeper nets recover from larger $\alpha^D$, most of all near the number of samples that least l1 needs."""

import numpy as np

from ...lab.settings.recovery_scale import SIMULATION
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Event, Line, Panel
from .figure_1c import FLOOR, medians, needed


def judge(data, level, order) -> Evidence:
    """The gain of depth in decades of the scale of the linear map."""
    middle, least = medians(data), needed(data, level)
    gain = order * (middle.isel(depth=-1) - middle.isel(depth=0)).where(data.n >= least)
    return Evidence(
        sound=[
            at_least(
                "numbers of samples with which least l1 recovers",
                (data.n >= least).sum(),
                2,
                why="the comparison is of depths that recover at all",
            )
        ],
        holds=[
            at_least(
                "gain of the deepest over depth 2 in decades of alpha^D, the largest over n",
                gain.max(),
                1,
                why="near its least number of samples depth 2 needs tiny scales and deeper nets polynomially small "
                "ones: more than a decade, two steps of the scan",
            ),
            at_least(
                "the same, the least over n",
                gain.min(),
                -0.5,
                why="deeper nets never need a smaller alpha^D, up to one step of the scan",
            ),
        ],
    )


def draw(data, n, depth, level) -> Drawing:
    """The largest alpha^D against n, one line for each depth."""
    middle, least = medians(data), needed(data, level)
    lines = [
        Line(f"D = {int(D)}", n.values, (10 ** middle.sel(depth=D)).where(middle.sel(depth=D) > FLOOR).values)
        for D in depth.values
    ]
    return Drawing(
        panels=[
            Panel(
                [*lines, *([Event("least l1 needs", least)] if np.isfinite(least) else [])],
                x=Axis("samples"),
                y=Axis("alpha^D", scale="log"),
            )
        ],
        columns=1,
        caption=f"The largest scale alpha^D of the linear map at the start with which the truth is recovered to {level:g}, "
        "medians over draws. Near the number of samples that least l1 needs (dashed), deeper nets do with far larger scales.",
    )


CLAIM = Claim(
    kind="figure",
    title="Depth buys scale",
    says="At a given number of samples the largest alpha^D that recovers the truth to 0.025 is larger for deeper nets, "
    "by orders of magnitude near the number of samples that least l1 needs.",
    source="woodworth2020, figure 3c",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"order": 1},
    least={"n": 2, "depth": 2},
    control=Control(
        "the depths the other way round",
        changes={"order": -1},
        breaks=(
            "gain of the deepest over depth 2 in decades of alpha^D, the largest over n",
            "the same, the least over n",
        ),
    ),
    seconds={"quick": 25, "paper": 1500},
)
