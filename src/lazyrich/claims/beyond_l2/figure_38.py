"""Figure 38: the sum of five waves, and the few coefficients that make it."""

import numpy as np

from ...lab.settings.wave_spectrum import SHOWN
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from ..labelled import norm


def judge(data, kept) -> Evidence:
    """The signal by its largest coefficients, its energy, and waves that fold back."""
    sizes = np.sort(abs(data.coefficients.values))[::-1]
    size = float(norm(data.signal, "t"))
    return Evidence(
        holds=[
            at_most(
                "what the coefficients that are kept leave, relative",
                np.linalg.norm(sizes[kept:]) / size,
                1e-10,
                why="the others are zero up to rounding",
            ),
            at_least(
                "least of them over the largest",
                sizes[kept - 1] / sizes[0],
                0.1,
                why="each belongs to a wave of the signal",
            ),
            at_most(
                "size of all coefficients over the signal's, less one",
                abs(np.linalg.norm(sizes) / size - 1),
                1e-12,
                why="an orthonormal basis: rounding",
            ),
            at_most(
                "signal less its waves folded back below half of the samples, relative",
                norm(data.signal - data.folded, "t") / size,
                1e-10,
                why="wave k and wave d - k agree at whole times: rounding of angles up to 600",
            ),
        ]
    )


def draw(data, d) -> Drawing:
    """The signal over time, and its coefficients by frequency."""
    coefficients = data.coefficients.values
    frequencies = (np.arange(d) + 1) // 2
    cosine = np.arange(d) % 2 == 1
    return Drawing(
        [
            Panel([Line("signal", np.arange(d), data.signal.values)], x=Axis("time"), y=Axis("signal"), legend=False),
            Panel(
                [
                    Points("cosine", frequencies[cosine], coefficients[cosine]),
                    Points("sine", frequencies[~cosine], coefficients[~cosine], role="second"),
                ],
                x=Axis("frequency"),
                y=Axis("coefficient"),
            ),
        ],
        caption="Five waves at a hundred times and their coefficients in the real Fourier basis: six are not zero, since two "
        "waves fold back onto frequencies 25 and 5.",
    )


CLAIM = Claim(
    kind="figure",
    title="A sum of waves and its coefficients",
    says="The sum of five waves at 100 samples is made of six columns of the real Fourier basis.",
    source="beyond_l2, figure 38",
    simulation=SHOWN,
    judge=judge,
    draw=draw,
    constants={"kept": 6},
    control=Control(
        "five columns", changes={"kept": 5}, breaks=("what the coefficients that are kept leave, relative",)
    ),
    seconds={"quick": 5, "paper": 5},
)
