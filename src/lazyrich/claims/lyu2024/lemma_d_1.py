r"""Lemma D.1: the squared loss in the kernel phase falls exponentially, down to where the decay holds it."""

import numpy as np

from ...lab.settings.diagonal_decay import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Role
from ..labelled import norm

# What the decay holds falls like alpha^-rate: scales are such that the flow can see it.
_SCALES = {"rate": "=2*(depth-1)+power", "strength": 0.3, "away": (0.3,), "share": "=1-away", "count": 32}
SIZES = {
    "smoke": {**_SCALES, "fall": (8.0,), "count": 16},
    "quick": {**_SCALES, "fall": (8.0, 12.0)},
    "paper": {**_SCALES, "fall": (8.0, 10.0, 12.0), "away": (0.1, 0.3)},
}


def bound(data, depth, power, log_alpha, strength, n, pace, pull):
    r"""The larger of $\frac1n\|y\|^2e^{-\nu A(1-e^{-2(D-1)\tau})/(an(D-1))}$ and what the decay holds.

    That is $bnD^2\|y\|^2\lambda^2(\alpha e^{-\tau})^{-4(D-1)}/\nu^2$; $a$ is `pace` and $b$ is `pull`.
    """
    decay, square = strength * np.exp(-power * log_alpha), (data.answers**2).sum("n")
    least, rise = data.first_least, 2 * (depth - 1)
    spent = (np.exp(rise * log_alpha) - np.exp(rise * data.log_size)) / decay
    fitting = square / n * np.exp(-least * spent / (pace * n * (depth - 1)))
    held = pull * n * depth**2 * square * decay**2 * np.exp(-2 * rise * data.log_size) / least**2
    return np.maximum(fitting, held)


def judge(data, depth, power, log_alpha, strength, n, pace, pull) -> Evidence:
    """The loss over the bound, at all times while the smallest eigenvalue of the tangent kernel keeps half its size."""
    inside = (data.least > data.first_least / 2) & (data.time > 0)
    loss = (data.residual**2).mean("n")
    ratio = (loss / bound(data, depth, power, log_alpha, strength, n, pace, pull)).where(inside)
    return Evidence(
        sound=[
            at_least(
                "share of times inside the kernel phase, the least",
                inside.mean("t").min(),
                0.9,
                why="times end at (1 - c) log(alpha)/decay, before the features turn",
            ),
            at_least(
                "residuals that the decay holds, over the answers, the least",
                (norm(data.held, "n") / norm(data.answers, "n")).min(),
                1e-8,
                why="the flow's own errors are some 1e-9 of the answers halfway",
            ),
        ],
        holds=[
            at_most(
                "loss over its bound, the largest",
                ratio.max(),
                1,
                why="an inequality with every constant explicit",
            )
        ],
    )


def draw(data, depth, power, log_alpha, strength, n, pace, pull) -> Drawing:
    """Loss and bounds in time, of one draw, for each depth."""
    panels = []
    for layers in depth.values:
        told = {"depth": layers}
        marks = []
        for name, a, b in (("bound", pace, pull), ("as printed", 8.0, 16.0)):
            role: Role = "theory" if name == "bound" else "control"
            line = (
                bound(data, depth, power, log_alpha, strength, n, a, b)
                .sel(told)
                .isel(trial=0, fall=-1, power=-1, away=-1)
            )
            one = data.sel(told).isel(trial=0, fall=-1, power=-1, away=-1)
            marks.append(Line(name, one.time.values[1:], line.transpose("t").values[1:], role=role))
        marks.append(Line("loss", one.time.values[1:], (one.residual**2).mean("n").values[1:]))
        x, y = Axis("time", scale="log"), Axis("loss", scale="log")
        panels.append(Panel(marks, x=x, y=y, title=f"depth {int(layers)}"))
    return Drawing(
        panels=panels,
        caption="The mean squared loss in the kernel phase: an exponential fall at the pace of the tangent kernel's smallest "
        "eigenvalue, then a level that rises as the decay shrinks the weights.",
    )


CLAIM = Claim(
    kind="lemma",
    title="The loss of the kernel phase under explicit bounds",
    says="While the tangent kernel keeps half its smallest eigenvalue nu, the mean squared loss is at most the larger of "
    "|y|^2/n exp(-nu A (1 - exp(-2(D-1) decay t))/(2n(D-1))) and 4 n D^2 |y|^2 decay^2 (alpha exp(-decay t))^(-4(D-1))/nu^2, "
    "A = alpha^(2(D-1))/decay. The lemma prints 8n and 16n, which is weaker: its gradient lacks a factor 2/n.",
    source="lyu2024, lemma D.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"pace": 2.0, "pull": 4.0},
    sizes=SIZES,
    control=Control(
        "the exponential fall alone, as if there were no decay",
        changes={"pull": 0.0},
        breaks=("loss over its bound, the largest",),
    ),
    seconds={"quick": 40, "paper": 120},
)
