r"""Figure 8: data are fitted within theorem C.8's time; the truth is found when the slow flow finds it."""

import numpy as np

from ...lab.settings.sparse_phases import MEASURED
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .limits import SAME
from .memorization import fitted, stable
from .phases import along_draws, clock, enough, judged, refer


def judge(data, told, rate, strength, d, level, reach, power) -> Evidence:
    """Steps to fit over the bound, slow times of recovery beside the flow's, and how they fall along the measurements."""
    good = judged(told, strength=strength, level=level, reach=reach)
    steps, bound = fitted(data, rate=rate, strength=strength, d=d)
    found = told["missed"] < SAME
    both = found & found.shift(share=1, fill_value=False)
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            at_most(
                "steps to fit over the bound, the largest", (steps / bound).max(), 1, why="theorem C.8, no tolerance"
            ),
            at_least(
                "steps to fit over the bound, the median",
                (steps / bound).median(),
                0.1,
                why="tightness: errors along the flattest measured direction fall at the bound's own pace; a start "
                "that lies across many directions loses a factor of a few",
            ),
            clock(data, told, good, rate=rate, strength=strength, power=power),
            at_most(
                "steps to find over those with fewer measurements, the median",
                (data.finds / data.finds.shift(share=1)).where(both).median(),
                0.9,
                why="with more measurements the least-squares answer is nearer to the truth, like sqrt(1 - N/n), and the way "
                "to it steeper",
            ),
        ],
    )


def draw(data, told, rate, strength, d) -> Drawing:
    """Steps to fit and steps to find against the number of measurements, beside theory."""
    steps, bound = fitted(data, rate=rate, strength=strength, d=d)
    n = np.round(data.share.values * d)
    return Drawing(
        [
            Panel(
                [
                    along_draws("within the radius", n, steps),
                    Line("bound", n, bound.median("trial").values, role="theory"),
                ],
                x=Axis("measurements"),
                y=Axis("steps to fit the data", scale="log"),
            ),
            Panel(
                [
                    along_draws("subgradient descent", n, data.finds),
                    along_draws(
                        "slow flow", n, (told["finds"] / (rate * strength)).where(data.finds < np.inf), role="theory"
                    ),
                ],
                x=Axis("measurements"),
                y=Axis("steps to find the truth", scale="log"),
            ),
        ],
        caption="Medians over draws, bars reach to the quartiles. Left: steps until the iterate is near the least-squares "
        "answer among measured directions, and theorem C.8's bound there. Right: steps until the truth is found, in the "
        "draws in which it is, and the slow flow's time over rate x strength.",
    )


CLAIM = Claim(
    kind="figure",
    title="When data are fitted and when the truth is found",
    says="Against the number of measurements: data are fitted within the steps of theorem C.8 (among measured directions), "
    "and the truth is found after the time of the slow flow over rate x strength, sooner with more measurements.",
    source="beyond_l2, figure 8",
    simulation=MEASURED["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"share": 2},
    control=Control(
        "the root of the strength in the place of the strength",
        changes={"power": 0.5},
        breaks=("time of recovery over the slow flow's, less one, the farthest",),
    ),
    seconds={"quick": 8, "paper": 240},
)
