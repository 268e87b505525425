r"""Proposition C.1: $\delta_s(A)\le\delta_{s+1}(A)$."""

import numpy as np

from ...lab.settings.dictionaries import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel


def judge(data, over) -> Evidence:
    """How much the constant falls with one more column, the most of all matrices and sizes."""
    return Evidence(
        holds=[
            at_most(
                "fall of the isometry constant with one more column, the largest",
                (-data[over].diff("s")).max().clip(min=0),
                1e-12,
                why="a set of s columns is part of one of s + 1, whose eigenvalues enclose its own; rounding",
            ),
        ],
    )


def draw(data, rows) -> Drawing:
    """Constants of a few matrices against the number of columns."""
    sizes = np.arange(1, data.sizes["s"] + 1)
    panels = []
    for what, title in (("isometry", "The worst set of s columns"), ("some", "One random set of s columns")):
        lines = [
            Line(f"{int(m)} rows", sizes, data[what].isel(trial=0, r=0).sel(rows=m).values, role=SERIES[at % 3])
            for at, m in enumerate(rows.values)
        ]
        panels.append(Panel(lines, x=Axis("columns s"), y=Axis("distance from an isometry", low=0), title=title))
    return Drawing(
        panels,
        caption="How far sets of columns of one Gaussian matrix are from orthonormal ones, in operator norm: over all sets it "
        "can only grow, for one set after another it goes up and down.",
    )


CLAIM = Claim(
    kind="proposition",
    title="More columns are never nearer to an isometry",
    says="The restricted isometry constant of s columns is at most that of s + 1, for every matrix.",
    source="beyond_l2, proposition C.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"over": "isometry"},
    sizes={size: {"unit": 0} for size in ("smoke", "quick", "paper")},
    control=Control(
        "one random set of each size in place of all",
        changes={"over": "some"},
        breaks=("fall of the isometry constant with one more column, the largest",),
    ),
    seconds={"quick": 2, "paper": 120},
)
