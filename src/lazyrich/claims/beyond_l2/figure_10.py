r"""Figure 10: in the plane of $\|b_I\|$ and $\|b_{I^c}\|$ descent goes to least squares and from there to the least l1 norm."""

import numpy as np

from ...lab.settings.sparse_phases import MEASURED
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from .limits import SAME
from .memorization import stable
from .phases import LATE, clear, refer


def judge(data, told, rate, strength, level, reach, place) -> Evidence:
    """The nearest to least squares in the plane, where it ends, and what is left outside of the support."""
    size = told["l2"]
    near = np.hypot(data.inside - told["first_inside"], data.outside - told["first_outside"]) / size
    last = data.isel(t=-1)
    apart = np.hypot(last.inside - told[f"{place}_inside"], last.outside - told[f"{place}_outside"]) / size
    settled = clear(told, strength, level) & (told["extinction"] < LATE * reach)
    truth = told["missed"] < SAME
    return Evidence(
        sound=[
            stable(data, rate),
            at_least(
                "share of draws that come to rest in time",
                settled.mean(),
                0.2,
                why="where descent is still on its way there is no end to compare",
            ),
        ],
        holds=[
            at_most(
                "distance from least squares in the plane when nearest, the median over the size of the truth",
                near.min("t").median(),
                0.02,
                why="at the turn the penalty has moved by rate x strength x sqrt(n) for each of some tens of steps: 0.01",
            ),
            at_most(
                "distance from the least l1 norm in the plane at the end, the farthest over the size of the truth",
                apart.where(settled).max(),
                2 * level,
                why="the bias of the penalty, a tenth of the level or less, and as much again where the answer is another; "
                "steps to and fro",
            ),
            at_most(
                "norm outside of the support at the end where the truth has the least l1 norm, the largest",
                (last.outside / size).where(settled & truth).max(),
                level,
                why="every entry outside goes to zero up to a step and the penalty's bias",
            ),
            at_least(
                "norm outside of the support at the end elsewhere, the least over the distance of the two answers",
                (last.outside / size / told["missed"]).where(~truth).min().fillna(1.0),
                0.05,
                why="what lies outside decides what is missed inside, up to the condition of the support: a factor of ten",
            ),
        ],
    )


def draw(data, told, d) -> Drawing:
    """One draw in the plane, from the start to the end, for the fewest and the most measurements."""
    panels = []
    for at in (0, min(2, data.share.size - 1)):
        one = data.isel(share=at, trial=0)
        end = {name: float(told[name].isel(share=at, trial=0)) for name in told}
        panels.append(
            Panel(
                [
                    Line("descent", one.inside.values, one.outside.values),
                    Points("least squares", [end["first_inside"]], [end["first_outside"]], role="second"),
                    Points("least l1 norm", [end["last_inside"]], [end["last_outside"]], role="theory"),
                    Points("truth", [end["l2"]], [0.0], role="control"),
                ],
                x=Axis("norm on the support", low=0.0),
                y=Axis("norm outside of the support", low=0.0),
                title=f"N = {round(float(data.share[at]) * d)} of {d}",
            )
        )
    return Drawing(
        panels,
        caption="Subgradient descent, one draw, in the plane of its norms on and outside of the support of the truth. Left: "
        "too few measurements, it goes to another vector of least l1 norm. Right: enough, it ends at the truth.",
    )


CLAIM = Claim(
    kind="figure",
    title="First to least squares, then to the least l1 norm",
    says="In the plane of the norms on and outside of the support descent passes by the least-squares answer and ends at the "
    "interpolant of least l1 norm: at (|b*|, 0) with enough measurements, elsewhere with too few.",
    source="beyond_l2, figure 10",
    simulation=MEASURED["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"place": "last"},
    control=Control(
        "least squares as the end",
        changes={"place": "first"},
        breaks=("distance from the least l1 norm in the plane at the end, the farthest over the size of the truth",),
    ),
    seconds={"quick": 8, "paper": 240},
)
