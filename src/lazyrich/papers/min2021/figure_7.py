r"""Figure 7: the distance from the least norm falls like $h^{-1/2}$ with the width."""

import numpy as np

from ...lab.settings.wide_linear_net import SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule, Slope
from ..labelled import farthest
from .widths import powers, refer, root_mean_square, unfinished

SIZES = {
    "smoke": {"n": 4, "d": 12, "outputs": 1, "width": (100.0, 2000.0), "exponent": (0.5,), "condition": 1.0},
    "quick": {
        "n": 100,
        "d": 500,
        "outputs": 1,
        "signal": 0.2**0.5,
        "condition": 1.0,
        "width": (500.0, 1000.0, 2000.0, 5000.0, 10000.0),
        "exponent": (0.5,),
        "trials": 10,
    },
    "paper": {
        "n": 100,
        "d": 500,
        "outputs": 1,
        "signal": 0.2**0.5,
        "condition": 1.0,
        "width": (500.0, 1000.0, 2000.0, 5000.0, 10000.0, 1e5, 1e6),
        "exponent": (0.5,),
        "trials": 50,
    },
}
"""The paper's data: 100 samples, 500 inputs of variance 1/500, one output; its widths and some beyond."""


def judge(data, told, width, exponent, power) -> Evidence:
    """The distances of wide nets against the closed form, their fall, and the fall between the first and the last width."""
    ratio = root_mean_square(data.distance / told["law"]).squeeze("exponent")
    wide = ratio.where(ratio.width >= 2000, drop=True)
    fall = powers(root_mean_square(data.distance).squeeze("exponent"))
    steps = np.log(data.width.values[-1] / data.width.values[0])
    whole = np.log(float(ratio[-1] / ratio[0])) / steps - 0.5
    return Evidence(
        sound=[
            at_most(
                "what the fit lacks, over the map or the layers, the largest",
                unfinished(data, width, exponent),
                1e-4,
                why="the error at which runs stop, 1e-6, times the condition of the inputs squared",
            )
        ],
        holds=[
            near(
                "distance over the closed form, at widths from 2000 the farthest from one",
                farthest(wide, 1),
                1,
                0.03,
                why="the closed form is the first order in n/h, which leaves one percent at 2000; draws spread by 0.3 percent",
            ),
            near(
                "power of the width between the last two",
                fall[-1],
                power,
                0.02,
                why="the next order changes by half a percent between them, over a logarithm of two; they share draws",
            ),
            near(
                "power of the width between the first and the last",
                whole,
                power,
                0.03,
                why="at the first width the distance is five percent below its law, over a logarithm of three",
            ),
        ],
    )


def draw(data, told) -> Drawing:
    """Distances of single nets against the width, beside the closed form; what is left when it is divided out; and the times."""
    one = data.isel(s=0).squeeze("exponent")
    width = data.width.values
    law = told["law"].squeeze("exponent").mean("trial")
    ratio = (data.distance / told["law"]).squeeze("exponent")
    mean, spread = one.distance.mean("trial"), one.distance.std("trial")
    x = Axis("width", scale="log")
    return Drawing(
        [
            Panel(
                [Points("flow", width, mean, error=spread), Line("closed form", width, law, role="theory")],
                x=x,
                y=Axis("distance from least norm"),
                title="Wider is nearer",
            ),
            Panel(
                [
                    Points("flow", width, mean, error=spread),
                    Slope("h^-1/2", width, (float(width[-1]), float(mean[-1])), -0.5),
                ],
                x=x,
                y=Axis("distance from least norm", scale="log"),
                title="Like one over the root of the width",
            ),
            Panel(
                [
                    Points("root mean square", width, root_mean_square(ratio), error=ratio.std(("trial", "s"))),
                    Rule("closed form", 1.0),
                ],
                x=x,
                y=Axis("distance over the closed form", low=0.85, high=1.1),
                title="No free constant",
            ),
        ],
        columns=3,
        caption="Single nets with their deviation over draws (left, middle), and all draws over the closed form (right). The "
        "distance from the least norm is some 21 over the root of the width, a little less at widths near the number of inputs.",
    )


CLAIM = Claim(
    kind="figure",
    title="The distance from the least norm against the width",
    says="From weights of variance 1/h the flow ends at a distance from the least-norm map that falls like h^(-1/2), with a "
    "constant that the data give.",
    source="min2021, figure 7 and appendix A.3",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"power": -0.5},
    sizes=SIZES,
    least={"width": 2},
    control=Control(
        "a fall like h^-0.45",
        changes={"power": -0.45},
        breaks=("power of the width between the last two", "power of the width between the first and the last"),
    ),
    seconds={"quick": 20, "paper": 300},
)
