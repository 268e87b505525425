"""Figure 2 (left) and figure 4: the spectrum of the imbalance at a small and a large width."""

import numpy as np

from ...lab.settings.linear_net_widths import SPECTRUM
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import last_power


def judge(data, outputs) -> Evidence:
    """Level against spreads at the least and the largest width, and the powers of the width at which both settle."""
    narrow, wide = data.isel(width=0), data.isel(width=-1)
    short = (1 - outputs * data.level / 2).mean("trial")
    edges = "the edges of the spectra of Gaussian layers are (1 +- sqrt(rows/width))^2; the next order is 1/width"
    return Evidence(
        holds=[
            at_most(
                "level over the smaller spread at the least width, the median",
                (narrow.level / np.minimum(narrow.up, narrow.down)).median(),
                1,
                why="with few units beyond the rows the least eigenvalues are near zero",
            ),
            at_least(
                "level over the larger spread at the largest width, the median",
                (wide.level / np.maximum(wide.up, wide.down)).median(),
                1,
                why="the level nears 2/outputs and the spreads vanish",
            ),
            near(
                "power of the width at which the level nears 2/outputs",
                last_power(short, "width"),
                0.5,
                0.1,
                why=edges,
            ),
            near(
                "power of the width at which the positive spread falls",
                last_power(data.up.mean("trial"), "width"),
                0.5,
                0.1,
                why=edges,
            ),
        ],
    )


def draw(data, width, outputs) -> Drawing:
    """The eigenvalues of one draw at a small and a large width, and the gaps against the width."""
    shown = [width.values[0], width.values[-2]]
    panels = []
    for h in shown:
        found = data.found.sel(width=h).isel(trial=0).values
        panels.append(
            Panel(
                [Points("eigenvalues", np.arange(1, found.size + 1), found), Rule("zero", 0.0)],
                x=Axis("place"),
                y=Axis("eigenvalue over outputs x width"),
                title=f"Width {int(h)}",
                legend=False,
            )
        )
    parts = {"level": data.level, "spread of the positive": data.up, "spread of the negative": data.down}
    gaps = [
        Line(name, width.values, part.median("trial").values, role=role)
        for role, (name, part) in zip(SERIES, parts.items(), strict=True)
    ]
    limit = Rule("2/outputs", 2 / outputs)
    x, y = Axis("width", scale="log"), Axis("over outputs x width", scale="log")
    return Drawing(
        [*panels, Panel([*gaps, limit], x=x, y=y, title="The three gaps, median over draws")],
        columns=3,
        caption="Eigenvalues of U^T U - V^T V for unit normal layers. In a narrow net they spread widely and leave a "
        "small gap at zero (the level); in a wide one they gather in two groups far apart.",
    )


CLAIM = Claim(
    kind="figure",
    title="Wide nets are imbalanced by much, and evenly",
    says="For unit normal layers the imbalance has a small level and wide spreads at small width, and the reverse at "
    "large width: over outputs times width the level tends to 2 over outputs and the spreads to zero, like one over the root "
    "of the width.",
    source="min2021, figures 2 (left) and 4",
    simulation=SPECTRUM,
    judge=judge,
    draw=draw,
    aliases=("figure_4", "figure_2"),
    least={"width": 2},
    control=Control(
        "small widths only",
        changes={"width": (26, 30)},
        breaks=("level over the larger spread at the largest width, the median",),
    ),
    seconds={"quick": 4, "paper": 10},
)
