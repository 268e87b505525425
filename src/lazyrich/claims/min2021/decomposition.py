r"""The end of the flow: the least norm, plus the unseen part of the start on the last layer."""

from ...lab.settings.linear_net_defect import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import norm


def judge(data, trained) -> Evidence:
    """The last map against the one foretold from the start's unseen part, and the two parts of its distance along the way."""
    told = data.foretold if trained else data.unmoved
    size = norm(data.least, "e")
    squares = data.unfitted**2 + data.unseen**2
    return Evidence(
        sound=[
            at_least(
                "unseen part of the last map over the least-norm one, the least",
                (data.unseen.isel(t=-1) / size).min(),
                1e-2,
                why="with none there is nothing to foretell",
            )
        ],
        holds=[
            at_most(
                "seen part of the last map less the least-norm one, relative, the largest",
                (data.unfitted.isel(t=-1) / size).max(),
                1e-6,
                why="the error that is left, 1e-8 and less by the slowest rate, times the inputs' condition",
            ),
            at_most(
                "last map less the foretold one, relative, the largest",
                (norm(data.reached - told, "e") / size).max(),
                1e-6,
                why="the same: the unseen part of U never moves, so that only the seen part can miss",
            ),
            at_most(
                "squared distance less the squares of its two parts, relative, at all times",
                (abs(data.distance**2 - squares) / squares).max(),
                1e-10,
                why="two orthogonal parts: rounding",
            ),
        ],
    )


def draw(data, exponent) -> Drawing:
    """Both parts of the distance along one run, and the last maps' entries against what was foretold."""
    one = data.isel(trial=0, tilt=-1, ratio=0)
    mid = one.isel(exponent=len(exponent) // 2)
    clock = (mid.time * mid.guaranteed)[1:]
    ends = [float(data.reached.min()), float(data.reached.max())]
    return Drawing(
        [
            Panel(
                [
                    Line("distance", clock, mid.distance[1:]),
                    Line("not yet fitted", clock, mid.unfitted[1:], role="second"),
                    Line("unseen", clock, mid.unseen[1:], role="control"),
                ],
                x=Axis("time, times the guaranteed rate of the loss", scale="log"),
                y=Axis("distance from least norm", scale="log", low=1e-6),
                title=f"Along one flow, a = {float(exponent[len(exponent) // 2]):g}",
            ),
            Panel(
                [
                    *[
                        Points(
                            f"a = {a:g}",
                            one.foretold.isel(exponent=at),
                            one.reached.isel(exponent=at),
                            role=SERIES[at % 3],
                        )
                        for at, a in enumerate(exponent.values)
                    ],
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("foretold entry of the map"),
                y=Axis("entry at the end of the flow"),
                title="Where it ends",
            ),
        ],
        caption="The part of the map that inputs see goes to the least-norm solution. What they do not see stays in the first "
        "layer, and the last second layer makes a map of it.",
    )


CLAIM = Claim(
    kind="statement",
    title="Where a linear net ends: least norm, and what no input sees",
    says="The flow ends at the least-norm map plus the unseen part of the first layer, which never moves, times the last "
    "second layer: U V^T -> Theta + U_2(0) V(inf)^T.",
    source="min2021, equation 30",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"trained": 1},
    control=Control(
        "the second layer of the start, as linear regression would have it",
        changes={"trained": 0},
        breaks=("last map less the foretold one, relative, the largest",),
    ),
    seconds={"quick": 15, "paper": 120},
)
