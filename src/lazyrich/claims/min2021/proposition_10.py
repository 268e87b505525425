r"""Proposition 10: a start with $VU_2^\top = 0$ and $U_1U_2^\top = 0$ keeps both, and ends at the least norm."""

from ...lab.settings.linear_net_defect import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from ..labelled import norm


def judge(data) -> Evidence:
    """The defect at all times and the distance at the end, where the map of the start is seen by the inputs."""
    size = norm(data.least, "e")
    return Evidence(
        sound=[
            at_most(
                "unseen part of the first map, relative, the largest",
                (norm(data.unmoved - data.least, "e") / size).max(),
                1e-10,
                why="linear regression from this map would end at the least norm: that much is true of the control too",
            ),
            at_least(
                "distance of the first map from the last, relative, the least",
                (data.distance.isel(t=0) / size).min(),
                1e-2,
                why="a start at its end would show nothing",
            ),
        ],
        holds=[
            at_most(
                "defect over the squared weights at the start, the largest at all times",
                (norm(data.defect, "m").max("t") / data.weights.isel(t=0)).max(),
                1e-10,
                why="zero is a fixed point of the defect's linear equation, whose solutions grow by a small power of e: rounding",
            ),
            at_most(
                "distance from the least norm at the end, relative, the largest",
                (data.distance.isel(t=-1) / size).max(),
                1e-6,
                why="the error that is left, 1e-8 and less by the slowest rate, times the inputs' condition",
            ),
        ],
    )


def draw(data, exponent) -> Drawing:
    """The distance and the defect along the flow."""
    one = data.isel(trial=0, tilt=-1, ratio=0)
    clock = one.time * one.guaranteed
    x = Axis("time, times the guaranteed rate of the loss", scale="log")

    def lines(part):
        return [
            Line(f"a = {a:g}", clock.isel(exponent=at)[1:], part.isel(exponent=at)[1:], role=SERIES[at % 3])
            for at, a in enumerate(exponent.values)
        ]

    return Drawing(
        [
            Panel(
                lines(one.distance / norm(one.least, "e")),
                x=x,
                y=Axis("distance from least norm, relative", scale="log"),
                title="All the way to the least norm",
            ),
            Panel(
                lines(norm(one.defect, "m") / one.weights.isel(t=0)),
                x=x,
                y=Axis("defect over the squared weights", scale="log", low=1e-20, high=1.0),
                title="Orthogonal at the start, orthogonal for ever",
            ),
        ],
        caption="One draw from orthogonal starts: the products of the unseen part of the first layer with all that moves are "
        "zero to rounding, and stay so; the flow ends at the least norm.",
    )


CLAIM = Claim(
    kind="proposition",
    title="Orthogonal starts end at the least norm",
    says="If V U_2^T = 0 and U_1 U_2^T = 0 at the start, both stay zero, and a flow that fits ends exactly at the least-norm "
    "map. The first alone, which is enough for linear regression, is not.",
    source="min2021, proposition 10",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    sizes={size: {"along_u": 0.0, "along_v": 0.0} for size in ("smoke", "quick", "paper")},
    control=Control(
        "only V U_2^T = 0",
        changes={"along_u": 1.0},
        breaks=(
            "defect over the squared weights at the start, the largest at all times",
            "distance from the least norm at the end, relative, the largest",
        ),
    ),
    seconds={"quick": 15, "paper": 120},
)
