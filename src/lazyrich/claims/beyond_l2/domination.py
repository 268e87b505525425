r"""Erratum: after the fit $\beta h$ does not dominate $G$, which holds it along measured directions."""

import numpy as np

from ...lab.settings.sparse_phases import MEASURED
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Rule
from .memorization import stable
from .phases import enough, judged, refer


def slow_phase(data):
    """From well after the fit to the time when the truth is found, or the end."""
    until = np.minimum(data.finds, data.step.isel(t=-1))
    return (data.step > 5 * data.fits) & (data.step < 0.95 * until)


def judge(data, told, rate, strength, level, reach, share, factor) -> Evidence:
    """The ratio of the two slopes beside what the measured part of the signs says."""
    good = judged(told, strength=strength, level=level, reach=reach)
    ratio = data.ratio.where(slow_phase(data) & (share < 1))
    held = (ratio * data.held).median("t").where(good)
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            near(
                "penalty's slope over the loss's, in units of signs over their measured part, the median",
                (held / factor).median(),
                1,
                0.15,
                why="at rest along measured directions the loss's slope is minus the measured part of the signs, averaged "
                "over entries that move to and fro: a few hundredths up",
            ),
            at_most(
                "penalty's slope over the loss's in the slow phase, the median over time, the largest",
                ratio.median("t").where(good).max(),
                2,
                why="the signs of least squares, which lies along measured directions, have 2/pi of their square there: 1.25; "
                "later signs somewhat less",
            ),
        ],
    )


def draw(data, d) -> Drawing:
    """The ratio in time and its prediction by the signs, one draw, for few and many measurements."""
    panels = []
    for at in (0, min(2, data.share.size - 1)):
        one = data.isel(share=at, trial=0)
        shown = one.step.values > 0
        x = one.step.values[shown]
        panels.append(
            Panel(
                [
                    Line("descent", x, one.ratio.values[shown]),
                    Line("signs over their measured part", x, 1 / one.held.values[shown], role="theory"),
                    Rule("ten times: dominates", 10.0, role="control"),
                ],
                x=Axis("steps", scale="log"),
                y=Axis("penalty's slope over the loss's", scale="log"),
                title=f"N = {round(float(data.share[at]) * d)} of {d}",
            )
        )
    return Drawing(
        panels,
        caption="Subgradient descent, one draw. After the fit the loss's slope does not vanish: it holds what the penalty "
        "pushes along measured directions, so that the rest moves freely.",
    )


CLAIM = Claim(
    kind="erratum",
    title="After the fit both slopes are of one size",
    says="In the slow phase the penalty's slope is as large as the loss's over the measured share of its signs: between 1 "
    "and 2 times; it does not dominate, as printed. The loss's slope cancels its measured part, and the rest moves.",
    source="beyond_l2, figure 2 and section 2",
    simulation=MEASURED["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"factor": 1.0},
    control=Control(
        "ten times the loss's slope: dominates, as printed",
        changes={"factor": 10.0},
        breaks=("penalty's slope over the loss's, in units of signs over their measured part, the median",),
    ),
    seconds={"quick": 8, "paper": 240},
)
