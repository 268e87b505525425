"""Figure 32: times of fit and recovery against the number of measurements: no delay with depth, and ever later."""

import numpy as np

from ...lab.settings.hadamard import SMALL
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .depth import against_rows, far_from_edge, half_rows, one_factor, prompt, several, single


def judge(data, d) -> Evidence:
    """Times from half of the rows: of recovery beside the fit, and of the fit beside that of fewer factors."""
    half = half_rows(data, d)
    deep = several(half)
    waits = deep.fits.median("trial")
    first = single(half).fits.median("trial").min()
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            *one_factor(data, d),
            at_most(
                "share of draws that one factor finds",
                np.isfinite(single(data).finds.where(data.depth == 1, drop=True)).mean(),
                0,
                why="it ends at least squares",
            ),
            prompt(deep.isel(depth=0)),
            at_least(
                "time of the fit of two factors over that of one, from half of the rows, the median draw",
                waits.isel(depth=0) / first,
                2,
                why="entries wake in a logarithm of the start, 14 inverse slopes here, and the least of the truth's last",
            ),
            at_least(
                "time of the fit of three factors over that of two, from half of the rows, the median draw",
                waits.isel(depth=1) / waits.isel(depth=0),
                2,
                why="the paper: a longer training; entries wake in a power of the start, 100 inverse slopes here against 14",
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
                scale="linear",
                legend=False,
            ),
        ],
        columns=3,
        caption="Medians over draws against the number of measurements, from a small start without penalty; what "
        "does not happen in most draws is left out. One factor finds nothing; with more the truth is found with the fit.",
    )


CLAIM = Claim(
    kind="figure",
    title="Depth: no delay, and a longer way",
    says="From a small start without penalty two factors find the truth at 0.6 to 1.2 of the time of the fit, and the fit takes "
    "the longer the more factors there are; one factor never finds it, with or without the difference of two that start alike.",
    source="beyond_l2, figure 32",
    simulation=SMALL,
    judge=judge,
    draw=draw,
    least={"depth": 3, "n": 2},
    control=Control(
        "a start that is not small",
        size="quick",  # deeper ones and more rows are at the edge of stability from there
        changes={"start": 3.0},
        breaks=("share of draws that two factors find at 0.6 to 1.2 of the time of the fit, from half of the rows",),
    ),
    seconds={"quick": 20, "paper": 500},
)
