"""Erratum: the sum of five waves at a hundred samples has six real coefficients, not five: two waves fold onto others."""

import numpy as np

from ...lab.settings.wave_spectrum import COUNTED
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Event, Line, Panel


def judge(data, count) -> Evidence:
    """Coefficients that are not zero, and what the largest `count` leave."""
    first = data.isel(d=0)
    return Evidence(
        holds=[
            near("real coefficients of the signal", first.cosines_and_sines, count, 0, why="an exact count"),
            at_most(
                "what so many coefficients leave of the signal, relative",
                first.left.isel(t=count),
                1e-10,
                why="all of the signal: rounding",
            ),
            at_least(
                "what one less leaves of it, relative",
                first.left.isel(t=count - 1),
                0.05,
                why="the least of them has a quarter of the signal's size",
            ),
            near("complex coefficients of the signal", first.complexes, 8, 0, why="four frequencies and their mirrors"),
            near(
                "real coefficients where no two waves meet, the farthest",
                data.cosines_and_sines.isel(d=slice(1, None)).max(),
                8,
                0,
                why="three waves have a cosine and a sine, two a cosine alone",
            ),
        ]
    )


def draw(data, d) -> Drawing:
    """What is left of the signal against the number of coefficients that are kept."""
    counts = np.arange(data.sizes["t"])
    marks = [
        Line(f"{int(samples)} samples", counts, np.maximum(data.left.sel(d=samples).values, 1e-17), role=role)
        for role, samples in zip(SERIES, d.values, strict=False)
    ]
    return Drawing(
        [
            Panel(
                [*marks, Event("in print", 5.0)],
                x=Axis("largest real coefficients kept"),
                y=Axis("left of the signal, relative", scale="log"),
            )
        ],
        columns=1,
        caption="At a hundred samples waves 75 and 95 are waves 25 and 5; 75 meets 25. Six real coefficients remain; five leave "
        "a part of the signal.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Six coefficients, not five",
    says="The signal of five waves at 100 samples has six real Fourier coefficients, eight complex ones; printed is s = 5.",
    source="beyond_l2, appendix C.12.2",
    simulation=COUNTED,
    judge=judge,
    draw=draw,
    constants={"count": 6},
    least={"d": 2},
    control=Control(
        "five, as printed",
        changes={"count": 5},
        breaks=("real coefficients of the signal", "what so many coefficients leave of the signal, relative"),
    ),
    seconds={"quick": 5, "paper": 5},
)
