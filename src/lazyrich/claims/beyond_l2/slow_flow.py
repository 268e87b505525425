r"""The slow phase is one flow: $t_2\cdot\text{rate}\cdot\text{strength}\to T$, the same for three methods, told before training."""

import numpy as np
import xarray as xr

from ...lab.settings.l1_descent import COMPARED, METHODS
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Points
from ..labelled import spread
from .limits import SAME, slow


def refer(problem, level):
    """The slow flow from the least-squares answer."""
    return slow(problem, level)


def pace(ratio, axis: str):
    """The power of a parameter that is left in the times."""
    return np.log(ratio.isel({axis: -1}) / ratio.isel({axis: 0})) / float(np.log(ratio[axis][-1] / ratio[axis][0]))


def judge(data, told, strength, power) -> Evidence:
    """Times in units of rate x strength^power beside the flow's, between methods, and as rate and strength change."""
    good = told["missed"] < SAME
    times = xr.concat([data[f"{method}_finds"] for method in METHODS], "method")
    ratio = (times * strength ** (power - 1) / told["finds"]).where(good, drop=True)
    weakest = ratio.isel(strength=-1)
    return Evidence(
        sound=[
            at_least(
                "share of draws whose truth has the least l1 norm",
                good.mean(),
                0.5,
                why="where it has not, no strength finds it; half of the draws is enough to judge by",
            )
        ],
        holds=[
            at_most(
                "time of recovery over the slow flow's, less one, the farthest at the least strength",
                abs(weakest - 1).max(skipna=False),
                0.01,
                why="off by the penalty's bias and by one step, both of the order of the strength over the level, 1e-2",
            ),
            at_most(
                "spread between the three methods over the slow flow's time, the largest at the least strength",
                spread(weakest, "method").max(skipna=False),
                0.01,
                why="one flow for all, up to the same terms",
            ),
            at_most(
                "power of rate and strength in the number of steps, plus one, the farthest",
                max(float(abs(pace(ratio, axis)).max(skipna=False)) for axis in ("rate", "strength")),
                0.01,
                why="steps are T/(rate x strength); a bias of 1% over a factor of three is 0.009",
            ),
        ],
    )


def draw(data, told) -> Drawing:
    """The error of one draw in slow time by each method, and the times of all draws beside the flow's."""
    one = data.isel(trial=0, rate=0, strength=-1)
    found = float(told["finds"].isel(trial=0))
    shown = (one.slow.values > 0) & (one.slow.values < 1.05 * found)
    marks = [
        Line(method, one.slow.values[shown], one[f"{method}_recovery"].values[shown], role=role)
        for method, role in zip(METHODS, ("measured", "second", "control"), strict=True)
    ]
    times = told["finds"].values
    ends = [float(times.min()), float(times.max())]
    return Drawing(
        [
            Panel(
                [*marks, Event("slow flow", found)],
                x=Axis("rate x strength x steps", scale="log"),
                y=Axis("relative error of recovery", scale="log"),
                title="One draw",
            ),
            Panel(
                [
                    *(
                        Points(method, times, data[f"{method}_finds"].isel(rate=0, strength=-1).values, role=role)
                        for method, role in zip(METHODS, ("measured", "second", "control"), strict=True)
                    ),
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("time that the slow flow tells", scale="log"),
                y=Axis("time of recovery", scale="log"),
                title="All draws",
            ),
        ],
        caption="Subgradient, proximal and projected descent with a small l1 penalty. Left: the error against rate x strength x "
        "steps; they part while the data are fitted and then run as one. Right: recovery happens when the slow flow says.",
    )


CLAIM = Claim(
    kind="derived",
    title="One slow flow for three methods",
    says="The number of steps until the truth is found, times rate and strength, tends to the time that the slow flow of the l1 "
    "norm along the interpolants takes: for subgradient, proximal and projected descent alike.",
    source="beyond_l2, theorem 2.1",
    simulation=COMPARED,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"rate": 2, "strength": 2},
    control=Control(
        "the root of the strength in the place of the strength",
        changes={"power": 0.5},
        breaks=(
            "time of recovery over the slow flow's, less one, the farthest at the least strength",
            "power of rate and strength in the number of steps, plus one, the farthest",
        ),
    ),
    seconds={"quick": 20, "paper": 60},
)
