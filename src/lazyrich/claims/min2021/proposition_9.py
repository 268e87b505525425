r"""Proposition 9: where $c(0) > 0$ the weights converge, and to a fit."""

import numpy as np

from ...lab.settings.linear_net_defect import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from ..labelled import norm


def growth(data, factor):
    r"""$\log\|[V; U_1](t)\|^2$ over the start's, beside its bound $4\sqrt{\lambda_1}\|E(0)\|/(\lambda_rc(0))$."""
    first = data.weights.isel(t=0)
    tiny = np.finfo(float).tiny
    gained = np.log((data.weights + tiny) / (first + tiny))
    error = np.sqrt(2 * data.excess.isel(t=0))
    return gained, factor * np.sqrt(data.top) * error / data.guaranteed


def judge(data, factor) -> Evidence:
    """The error and the weights' motion late in the flow, and their growth beside its bound."""
    gained, allowed = growth(data, factor)
    clock = data.time.isel({name: 0 for name in data.time.dims if name != "t"}).values
    half, last = int(np.flatnonzero(clock <= clock[-1] / 2)[-1]), data.weights.isel(t=-1)
    late = norm(data.reached - data.foretold, "e") / norm(data.least, "e")
    return Evidence(
        holds=[
            at_most(
                "error at the end over the first, the largest",
                np.sqrt(data.excess.isel(t=-1) / data.excess.isel(t=0)).max(),
                1e-6,
                why="the slowest rate is at least the level of imbalance, half of h^(1-2a) at this width: exp(-25/2) and less",
            ),
            at_most(
                "motion of the squared weights after half of the time, relative, the largest",
                (abs(last - data.weights.isel(t=half)) / (last + np.finfo(float).tiny)).max(),
                1e-2,
                why="weights move by the error that is left: exp(-25/4) of the first",
            ),
            at_most(
                "distance of the last map from the least norm and the unseen start on the last layer, relative",
                late.max(),
                1e-5,
                why="a fit and nothing else: ten times the error that is left, for the inputs' condition",
            ),
            at_most(
                "logarithm of the squared weights' growth less its bound, the largest",
                (gained - allowed).max(),
                0,
                why="Gronwall: d|w|^2 <= 4 |SE| |w|^2, and the error falls at least like exp(-c t / 2)",
            ),
        ],
    )


def draw(data, exponent) -> Drawing:
    """The error against time in units of the slowest rate, and the growth of the weights beside the bound."""
    one = data.isel(trial=0, tilt=-1, ratio=0)
    gained, allowed = growth(one, 4.0)
    clock = one.time * one.guaranteed
    names = [f"a = {a:g}" for a in exponent.values]
    error = np.sqrt(one.excess / one.excess.isel(t=0))

    def lines(part):
        return [
            Line(name, clock.isel(exponent=at)[1:], part.isel(exponent=at)[1:], role=SERIES[at % 3])
            for at, name in enumerate(names)
        ]

    x = Axis("time, times the guaranteed rate of the loss", scale="log")
    slow = clock.isel(exponent=0)[1:]
    return Drawing(
        [
            Panel(
                [*lines(error), Line("guaranteed", slow, np.exp(-slow / 2), role="theory")],
                x=x,
                y=Axis("error over the first", scale="log", low=1e-8),
                title="To a fit",
            ),
            Panel(
                lines(gained / allowed),
                x=x,
                y=Axis("log growth of the squared weights, over its bound"),
                title="To weights that stay",
            ),
        ],
        caption="One draw. Wherever the guaranteed rate is positive, the error vanishes and the weights come to rest; they "
        "grow by a small part of what the proof allows.",
    )


CLAIM = Claim(
    kind="proposition",
    title="A guaranteed rate brings the weights to rest at a fit",
    says="If the guaranteed rate c(0) is positive, V and U_1 converge and the error vanishes; on the way the squared weights "
    "grow by at most the exponential of 4 sqrt(lambda_1) |E(0)| / (lambda_r c(0)).",
    source="min2021, proposition 9",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 4.0},
    control=Control(
        "the zero start, where c(0) = 0",
        changes={"amplitude": 0.0},
        breaks=("error at the end over the first, the largest",),
    ),
    seconds={"quick": 15, "paper": 120},
)
