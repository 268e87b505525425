r"""Lemma E.1: singular values of a Gaussian matrix lie within $\sqrt m + t$ of $\sqrt n$, but for a chance of $2e^{-t^2/2}$."""

import numpy as np

from ...lab.settings.gaussian_starts import SIMULATION
from ..axes import along
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel

TIMES = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)


def outside(data, width, rows, beside):
    r"""The share of draws with a singular value farther from $\sqrt h$ than $t$ plus `beside` times the root of the rows."""
    t = along(TIMES, "t", TIMES)
    reach = beside * np.sqrt(rows) + t
    root = np.sqrt(width)
    return ((data.least < root - reach) | (data.most > root + reach)).mean(("trial", "s"))


def judge(data, width, d, outputs, beside) -> Evidence:
    """Shares beyond the bound, beside what the lemma allows."""
    share = outside(data, width, d + outputs, beside)
    allowed = 2 * np.exp(-(share.t**2) / 2)
    near_edge = (data.most - np.sqrt(width)).median(("trial", "s")) / np.sqrt(d + outputs)
    return Evidence(
        holds=[
            at_most(
                "share beyond sqrt(m) + t less 2 exp(-t^2/2), the largest",
                (share - allowed).max(),
                0,
                why="the chance that the lemma allows, in the form that is proved: the paper prints exp(-t^2)",
            ),
            at_least(
                "largest singular value less sqrt(n), over sqrt(m), the least median",
                near_edge.min(),
                0.5,
                why="the root of the smaller side is needed: the edges tend to sqrt(n) -/+ sqrt(m)",
            ),
        ],
    )


def draw(data, width, d, outputs) -> Drawing:
    """Shares against t, beside both forms of the bound."""
    share = outside(data, width, d + outputs, 1.0)
    free = outside(data, width, d + outputs, 0.0)
    share, free = (part.max([name for name in part.dims if name not in ("t", "width")]) for part in (share, free))
    fine = np.linspace(TIMES[0], TIMES[-1], 50)
    marks = [
        Line(f"h = {w:g}", TIMES, share.sel(width=w).values, role=SERIES[at % 2])
        for at, w in enumerate((width.values[0], width.values[-1]))
    ]
    return Drawing(
        [
            Panel(
                [
                    *marks,
                    Line("2 exp(-t^2/2)", fine, 2 * np.exp(-(fine**2) / 2), role="theory"),
                    Line("without sqrt(m)", TIMES, free.isel(width=-1).values, role="control"),
                ],
                x=Axis("t"),
                y=Axis("share of draws beyond the bound", low=0.0, high=1.2),
            )
        ],
        columns=1,
        caption="How often a singular value leaves the interval of the lemma. The bound is generous; without the root of the "
        "smaller side it would be false.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Singular values of a Gaussian matrix",
    says="All singular values of a matrix of normal entries with n rows and m <= n columns lie between sqrt(n) - sqrt(m) - t "
    "and sqrt(n) + sqrt(m) + t, but for a chance of 2 exp(-t^2/2).",
    source="min2021, lemma E.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"beside": 1.0},
    control=Control(
        "without the root of m",
        changes={"beside": 0.0},
        breaks=("share beyond sqrt(m) + t less 2 exp(-t^2/2), the largest",),
    ),
    seconds={"quick": 5, "paper": 600},
)
