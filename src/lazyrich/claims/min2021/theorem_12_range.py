r"""Erratum: the widths of figure 7 are below those that theorem 12 asks for; the law holds there all the same."""

import numpy as np

from ...lab.settings.wide_linear_net import SIMULATION
from ..base import Claim, Control, Evidence, near
from ..drawing import Axis, Drawing, Event, Panel, Points, Slope
from .figure_7 import SIZES
from .widths import asked, powers, refer, root_mean_square

LARGEST = 1e4
"""The largest width of the figure."""


def judge(data, told, exponent, d, outputs, delta, covered) -> Evidence:
    """Whether the figure's widths are among those of the theorem, and what the distance does there."""
    least = asked(data, exponent, d=d, outputs=outputs, delta=delta)
    shown = data.width.where(data.width <= LARGEST, drop=True).values
    inside = np.mean([(least < one).mean() for one in shown])
    rms = root_mean_square(data.distance).squeeze("exponent").sel(width=shown)
    return Evidence(
        holds=[
            near(
                "share of the figure's widths that the theorem speaks of",
                inside,
                covered,
                0.0,
                why="it asks for h above 16 s^2 and 4 (lambda_1/lambda_r^3) m s^2 with s near 24: 9,000 and 150,000",
            ),
            near(
                "power of the width between the figure's last two",
                powers(rms).isel(width=-1),
                -0.5,
                0.02,
                why="the sharp law needs widths above the number of inputs, no more",
            ),
        ],
    )


def draw(data, exponent, d, outputs) -> Drawing:
    """Distances at the figure's widths, and where the theorem begins."""
    rms = root_mean_square(data.distance).squeeze("exponent")
    least = asked(data, exponent, d=d, outputs=outputs, delta=0.1).median()
    width = data.width.values
    return Drawing(
        [
            Panel(
                [
                    Points("flow", width, rms.values),
                    Slope("h^-1/2", [width[0], float(least) * 2], (float(width[-1]), float(rms[-1])), -0.5),
                    Event("here the theorem begins", float(least), role="control"),
                ],
                x=Axis("width", scale="log"),
                y=Axis("distance from least norm", scale="log"),
            )
        ],
        columns=1,
        caption="The figure that is to confirm the theorem shows widths that the theorem does not speak of. Its law holds there.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Figure 7 lies outside the theorem it is to confirm",
    says="Figure 7 is presented as a check of theorem 12, but the theorem asks for widths of 100,000 and more for these data; "
    "the figure goes to 10,000. The distance falls like h^(-1/2) there all the same.",
    source="min2021, theorem 12 and appendix A.3",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"delta": 0.1, "covered": 0.0},
    sizes=SIZES,
    least={"width": 2},
    control=Control(
        "as printed: the figure's widths are the theorem's",
        changes={"covered": 1.0},
        breaks=("share of the figure's widths that the theorem speaks of",),
    ),
    seconds={"quick": 20, "paper": 300},
)
