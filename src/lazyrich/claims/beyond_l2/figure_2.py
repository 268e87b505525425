r"""Figure 2: until the fit the loss pushes harder, then both push alike, and $\|b\|_1$ slides to that of the truth."""

import numpy as np

from ...lab.settings.sparse_phases import ONE
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Event, Line, Panel, Rule
from .memorization import stable
from .phases import clock, enough, errors, judged, once, refer


def judge(data, told, rate, strength, level, reach, power) -> Evidence:
    """The ratio of the two pushes before the fit and between fit and recovery; the l1 norm there and at the end."""
    good = judged(told, strength=strength, level=level, reach=reach)
    before = data.ratio.where(data.step <= data.fits).max("t")
    until = np.minimum(data.finds, data.step.isel(t=-1))
    slow = (data.step > 0.2 * until) & (data.step < until)
    between = data.ratio.where(slow)
    fitted, found = (once(data.l1, data.step, when) / told["l1"] for when in (data.fits, until))
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            at_most(
                "penalty's push over the loss's before the data are fitted, the median",
                before.where(good).median(),
                1,
                why="the loss pushes harder: strength x sqrt(n) over the slope of a loss of relative error 0.01 is 0.1 to 0.5",
            ),
            near(
                "the same between fit and recovery, the median",
                between.median("t").where(good).median(),
                2.0,
                1.0,
                why="the loss holds what the penalty pushes along measured directions: from 1, all of it, to 3, a tenth of "
                "its square",
            ),
            clock(data, told, good, rate=rate, strength=strength, power=power),
            at_least(
                "l1 norm over that of the truth once fitted, the median",
                fitted.where(good).median(),
                1.2,
                why="least squares spreads over all entries",
            ),
            at_most(
                "l1 norm over that of the truth when it is found, less one, the farthest",
                abs(found - 1).where(good).max(),
                5 * level,
                why="norms differ by sqrt(n) times the distance at most, 7 levels, of which entries of one size make the most",
            ),
        ],
    )


def draw(data, told, rate, strength) -> Drawing:
    """One run: its errors, the ratio of pushes, the l1 norm."""
    one = data.isel(trial=0)
    found = float(told["finds"].isel(trial=0)) / (rate * strength)
    events = [Event("slow flow", found)] if np.isfinite(found) else []
    shown = one.step.values > 0
    steps, x = one.step.values[shown], Axis("steps", scale="log")
    return Drawing(
        [
            errors(one, events=events),
            Panel(
                [Line("penalty's push over the loss's", steps, one.ratio.values[shown]), Rule("equal", 1.0), *events],
                x=x,
                y=Axis("ratio of norms", scale="log"),
            ),
            Panel(
                [
                    Line("descent", steps, one.l1.values[shown]),
                    Rule("truth", float(told["l1"].isel(trial=0))),
                    *events,
                ],
                x=x,
                y=Axis("l1 norm", low=0.0),
            ),
        ],
        columns=3,
        caption="Subgradient descent with a small l1 penalty, one draw. The loss pushes harder until the data are fitted; "
        "from then on the penalty pushes about as hard, and its norm slides to that of the truth. Dashed: when the slow flow "
        "is there.",
    )


CLAIM = Claim(
    kind="figure",
    title="Two pushes, two phases",
    says="The loss's slope exceeds the penalty's until the data are fitted; from then on the penalty's is as large or "
    "larger, and it brings the l1 norm down to that of the truth, which is found then.",
    source="beyond_l2, figure 2",
    simulation=ONE["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    control=Control(
        "hardly any penalty over the same time",
        changes={"strength": 1e-9, "steps": 3e4},
        breaks=(
            "time of recovery over the slow flow's, less one, the farthest",
            "l1 norm over that of the truth when it is found, less one, the farthest",
        ),
    ),
    seconds={"quick": 6, "paper": 120},
)
