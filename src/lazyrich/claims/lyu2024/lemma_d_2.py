r"""Lemmas D.2 and D.3: normalized parameters move by $\alpha^{-cD}$, and off the features' span by its square only."""

import numpy as np

from ...lab.settings.diagonal_decay import SIMULATION
from ..base import Claim, Control, Evidence, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from .powers import farthest_from, last_slope


def judge(data, depth, away, power, log_alpha, order) -> Evidence:
    """The powers of alpha at which the move and its part aside fall."""
    moved, aside = (last_slope(part.isel(t=-1).median("trial"), log_alpha) for part in (data.moved, data.aside))
    target = away * depth + 0 * power
    return Evidence(
        holds=[
            near(
                "power of alpha of the move over c D, the farthest from 1",
                farthest_from(moved / target, 1),
                1,
                0.01,
                why="to leading order alpha^(-cD) times the kernel's answer; the next order is a share of 1e-4",
            ),
            near(
                "power of alpha of the part aside over c D, the farthest from the law",
                farthest_from(aside / target, order),
                order,
                0.1,
                why="twice c D: half the squared move of each weight; the other part aside is smaller by a power",
            ),
        ],
    )


def draw(data, depth, away, log_alpha) -> Drawing:
    """Both lengths against alpha^c, all scales, times and powers of the decay on two lines for each depth."""
    panels = []
    for layers in depth.values:
        size = np.exp((log_alpha * away).sel(depth=layers, drop=True))
        moved, aside = (part.isel(t=-1).median("trial").sel(depth=layers) for part in (data.moved, data.aside))
        x = size.transpose(*moved.dims).values.ravel()
        last = int(np.argmax(x))
        marks = []
        rows = (("move", moved, -layers), ("part aside", aside, -2 * layers))
        for role, (name, part, power) in zip(SERIES, rows, strict=False):
            y = part.values.ravel()
            marks.append(Points(name, x, y, role=role))
            through = (float(x[last]), float(y[last]))
            marks.append(Slope(f"power {int(power)}", [float(x.min()), float(x.max())], through, int(power)))
        axis = Axis("alpha^c", scale="log")
        panels.append(Panel(marks, x=axis, y=Axis("length", scale="log"), title=f"depth {int(layers)}"))
    return Drawing(
        panels=panels,
        caption="How far exp(decay t) theta / alpha has moved from its start at (1 - c) log(alpha)/decay, and how much of that "
        "is no combination of the tangent features. Median over draws; one point for each alpha, c and power of the decay.",
    )


CLAIM = Claim(
    kind="lemma",
    title="How far directions move in the kernel phase",
    says="Up to (1 - c) log(alpha)/decay the normalized parameters exp(decay t) theta / alpha of a net of degree D move by "
    "alpha^(-cD) from their start, and aside of the tangent features' span by alpha^(-2cD) only.",
    source="lyu2024, lemma D.2 and lemma D.3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"order": 2.0},
    least={"fall": 2},
    aliases=("lemma_d_3",),
    control=Control(
        "a part aside of the order of the move",
        changes={"order": 1.0},
        breaks=("power of alpha of the part aside over c D, the farthest from the law",),
    ),
    seconds={"quick": 30, "paper": 90},
)
