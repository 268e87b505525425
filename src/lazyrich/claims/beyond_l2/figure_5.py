"""Figure 5: steps to recovery and error in the end of matrix completion, against rate times strength."""

import numpy as np

from ...lab.settings.nuclear_descent import COMPLETION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest
from .nuclear_figures import shown
from .nuclear_limits import enough, readable, slow


def power(x, y):
    """The slope of log y on log x, by least squares over all rates and strengths, for every draw."""
    over = [axis for axis in ("rate", "strength") if axis in x.dims]
    x, y = np.log(x), np.log(y)
    apart = x - x.mean(over)
    return (apart * y).sum(over, skipna=False) / (apart**2).sum(over)


def judge(data, told, rate, strength, reach, exponent) -> Evidence:
    """Powers of rate x strength in the steps, and of the strength in the error at the end, of every draw."""
    good = readable(told, reach)
    product = rate * strength
    steps = (data.subgradient_finds / product).where(good, drop=True)
    error = data.subgradient_recovery.isel(t=-1).where(good, drop=True)
    return Evidence(
        sound=[enough(good)],
        holds=[
            near(
                "power of rate x strength in the steps to recovery, the farthest",
                farthest(power(product, steps), -exponent),
                -exponent,
                0.05,
                why="T/(rate x strength); three times the bias over a factor of three is 0.05",
            ),
            near(
                "power of the strength in the error at the end, the farthest",
                farthest(power(strength, error), exponent),
                exponent,
                0.15,
                why="the penalty's bias is linear in the strength; hops of a step, which add to it, are not the same every time",
            ),
            at_most(
                "steps over those that the slow flow tells, less one, the median",
                abs(steps * product / told["finds"].where(good, drop=True) - 1).median(),
                0.05,
                why="the bias of the penalty over the level",
            ),
        ],
    )


def draw(data, told, rate, strength, reach) -> Drawing:
    """Steps and errors of all draws."""
    good = shown(told, reach)
    product = (rate * strength).transpose("strength", "rate").values
    found = (data.subgradient_finds / (rate * strength)).where(good, drop=True).transpose("strength", "rate", "trial")
    error = data.subgradient_recovery.isel(t=-1).where(good, drop=True).transpose("strength", "rate", "trial")
    panels = []
    for values, name, exponent in ((found, "steps to recovery", -1), (error, "relative error at the end", 1)):
        mid = values.median("trial").values
        marks = [
            Points(f"rate {float(rate[at]):g}", product[:, at], mid[:, at], role=SERIES[at % len(SERIES)])
            for at in range(rate.size)
        ]
        ends = np.array([product.min(), product.max()])
        through = (float(product[-1, 0]), float(mid[-1, 0]))
        panels.append(
            Panel(
                [*marks, Slope(f"power {exponent}", ends, through, exponent)],
                x=Axis("rate x strength", scale="log"),
                y=Axis(name, scale="log"),
            )
        )
    return Drawing(
        panels,
        caption="Subgradient descent in matrix completion, medians of all draws whose truth has the least norm. Steps go "
        "with the product of rate and strength; the error in the end goes with the strength, and less with the rate.",
    )


CLAIM = Claim(
    kind="figure",
    title="Smaller penalties find the matrix later and better",
    says="The steps that matrix completion takes to find the truth are proportional to 1/(alpha beta), and the error it ends "
    "with is proportional to beta.",
    source="beyond_l2, figure 5",
    simulation=COMPLETION,
    refer=slow,
    judge=judge,
    draw=draw,
    constants={"exponent": 1.0},
    least={"rate": 2, "strength": 2},
    control=Control(
        "half the powers",
        changes={"exponent": 0.5},
        breaks=(
            "power of rate x strength in the steps to recovery, the farthest",
            "power of the strength in the error at the end, the farthest",
        ),
    ),
    seconds={"quick": 20, "paper": 3600},
)
