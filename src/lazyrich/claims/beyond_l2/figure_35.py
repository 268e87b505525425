"""Figure 35: times of fit and recovery from a large start with decay: the deeper, the less the delay."""

import numpy as np

from ...lab.settings.hadamard import LARGE
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .depth import against_rows, far_from_edge, half_rows, several, single


def judge(data, rate, decay, d) -> Evidence:
    """Delays from half of the rows, by depth; in units of the decay's time for two factors."""
    half = half_rows(data, d)
    deep = several(half)
    ratio = deep.finds / deep.fits
    wait = (deep.finds - deep.fits).median("trial")
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            at_most(
                "share of draws that one factor finds",
                np.isfinite(single(data).finds.where(data.depth == 1, drop=True)).mean(),
                0,
                why="it ends at the ridge answer",
            ),
            at_least(
                "delay of two factors times rate and decay, the median draw",
                wait.isel(depth=0) * rate * decay,
                0.5,
                why="what is beside the truth falls like exp(-2(1 - q) T) in units T of the decay's time: to a tenth in "
                "one or more",
            ),
            at_most(
                "delay of two factors times rate and decay, the median draw, at most",
                wait.isel(depth=0) * rate * decay,
                5,
                why="the same, with slopes q up to 0.75 of the largest",
            ),
            at_most(
                "time of recovery over that of the fit: three factors over two, the median draw",
                (ratio.isel(depth=1) / ratio.isel(depth=0)).median(),
                0.6,
                why="the paper: grokking is accelerated; less is left to find after a later fit",
            ),
            at_most(
                "delay of three factors over that of two, the median draw",
                wait.isel(depth=1) / wait.isel(depth=0),
                0.8,
                why="the paper: fewer steps from memorization to generalization",
            ),
        ],
    )


def draw(data, depth, n) -> Drawing:
    """Medians of both times, and of their ratio."""
    return Drawing(
        [
            against_rows(data.fits, depth, n, label="steps", title="Time of the fit"),
            against_rows(data.finds, depth, n, label="steps", title="Time of recovery", legend=False),
            against_rows(
                (data.finds / data.fits).where(np.isfinite(data.fits), np.inf),
                depth,
                n,
                label="recovery over fit",
                title="Delay",
                legend=False,
            ),
        ],
        columns=3,
        caption="Medians over draws against the number of measurements, from a large start with small decay; what does not "
        "happen in most draws is left out. With depth the delay between fit and recovery shrinks.",
    )


CLAIM = Claim(
    kind="figure",
    title="Large start and decay: depth shortens the delay",
    says="From a large start with small decay two factors find the truth one to a few units of 1/(rate x decay) after the fit; "
    "three find it sooner after the fit, in steps and in units of its time; one factor never does.",
    source="beyond_l2, figure 35",
    simulation=LARGE,
    judge=judge,
    draw=draw,
    # With a fourth and 70 rows or more, rate times sharpness comes to 1.6 and 1.9: no flow any more.
    sizes={"paper": {"depth": (1, 2, 3)}},
    least={"depth": 3, "n": 2},
    control=Control(
        "stopped before the decay has acted",
        changes={"reach": 0.3},
        breaks=("delay of two factors times rate and decay, the median draw, at most",),
    ),
    seconds={"quick": 20, "paper": 500},
)
