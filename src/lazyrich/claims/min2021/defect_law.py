r"""The defect $Z = [VU_2^\top; U_1U_2^\top]$ moves by a linear law, and grows by at most $\exp\int\|SE\|$."""

import numpy as np

from ...lab.settings.linear_net_defect import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from ..labelled import norm


def growth(data):
    r"""$\log\|Z(t)\|/\|Z(0)\|$, and its bound $\sqrt{\lambda_1}\|E(0)\|/(\lambda_r\underline\Delta)$ for all times."""
    size = norm(data.defect, "m")
    gained = np.log(size / size.isel(t=0))
    return gained, np.sqrt(2 * data.top * data.excess.isel(t=0)) / (data.bottom * data.level)


def judge(data) -> Evidence:
    """The weights' own defect against the linear law's, and its growth beside both bounds."""
    size = norm(data.defect, "m")
    gained, allowed = growth(data)
    return Evidence(
        sound=[
            at_least(
                "motion of the defect relative to its size, the least",
                (norm(data.defect.isel(t=-1) - data.defect.isel(t=0), "m") / size.isel(t=0)).min(),
                1e-2,
                why="a defect that stays would obey any law",
            )
        ],
        holds=[
            at_most(
                "defect of the weights less that of the linear law, relative, at all times",
                (norm(data.defect - data.driven, "m") / size).max(),
                1e-6,
                why="two flows at a tolerance of 1e-10, up to a thousand steps each, and a growth below ten",
            ),
            at_most(
                "logarithm of the growth less the integral of |S E|, the largest",
                (gained - data.length).max(),
                1e-9,
                why="Gronwall: the law's matrix has the norm |S E|; a tolerance for two solvers",
            ),
            at_most(
                "logarithm of the growth over its bound for all times, the largest",
                (gained.max("t") / allowed).max(),
                1,
                why="the integral of an error that falls at least at the rate of the level of imbalance",
            ),
        ],
    )


def draw(data, exponent) -> Drawing:
    """The growth of the defect beside the integral that bounds it."""
    one = data.isel(trial=0, tilt=-1, ratio=0)
    gained, _ = growth(one)
    clock = one.time * one.guaranteed
    marks = []
    for at, a in enumerate(exponent.values):
        x = clock.isel(exponent=at)[1:]
        marks.append(Line(f"a = {a:g}", x, np.exp(gained.isel(exponent=at)[1:]), role=SERIES[at % 3]))
        marks.append(Line(f"bound, a = {a:g}", x, np.exp(one.length.isel(exponent=at)[1:]), role="theory"))
    return Drawing(
        [
            Panel(
                marks,
                x=Axis("time, times the guaranteed rate of the loss", scale="log"),
                y=Axis("defect over the first", scale="log"),
            )
        ],
        columns=1,
        caption="One draw. The defect moves only while there is an error, and by less than the integral of its norm allows: "
        "the larger the start (small a), the less.",
    )


CLAIM = Claim(
    kind="statement",
    title="The defect moves by a linear law",
    says="The defect, V U_2^T above U_1 U_2^T, obeys a linear equation with a matrix of norm |S E|, so it grows at most by the "
    "exponential of the integral of |S E|, which is below sqrt(lambda_1) |E(0)| over lambda_r times the level of imbalance.",
    source="min2021, equation 32",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "a law at nine tenths of the pace",
        changes={"pace": 0.9},
        breaks=("defect of the weights less that of the linear law, relative, at all times",),
    ),
    seconds={"quick": 15, "paper": 120},
)
