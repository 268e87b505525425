r"""Theorem D.1: $Cn^{5/4}r\log n$ entries at random tell a matrix of rank $r$ with random singular vectors."""

from ...lab import Param
from ...lab.settings.recoverable import TRIALS, masks
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .sample_counts import certified, share_panel, told_apart


def judge(data, factor, enough) -> Evidence:
    """Shares of draws that are recovered with so many entries, and with fewer."""
    share = told_apart(data).mean("trial")
    return Evidence(
        sound=[certified(data)],
        holds=[
            at_least(
                "share recovered from C n^(5/4) r log n entries, the mean of all sizes",
                share.where(factor >= enough).mean(),
                0.7,
                why="nearly all; a few of twenty draws may fail at sizes as small as these",
            ),
            at_most(
                "share recovered from the fewest entries, the mean",
                share.isel(factor=0).mean(),
                0.5,
                why="the number matters: with half of them most draws are not told",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Shares against the factor, for each size."""
    panel = share_panel(
        told_apart(data).mean("trial"), "rows", "n =", x="factor", label="known entries over n^(5/4) r log n"
    )
    return Drawing(
        [panel],
        columns=1,
        caption="Random matrices of low rank: the share of draws whose truth has the least nuclear norm of all that fit.",
    )


CLAIM = Claim(
    kind="theorem",
    title="How many random entries tell a matrix",
    says="There is a C such that C n^(5/4) r log(n) entries at random, n the longer side, make a random matrix of rank r "
    "the one of least nuclear norm; here C = 1.8, and half of it is not enough.",
    source="beyond_l2, theorem D.1",
    simulation=masks(
        Param("rows", (10, 14), (14, 20, 28), smoke=(5, 6), low=3, high=200, unit="rows: the longer side"),
        Param("factor", (0.8, 1.3, 1.8), smoke=(0.8, 1.8), low=0.01, high=100.0, unit="C"),
        Param("cols", "=rows-2", low=2, high=200, unit="columns"),
        Param("n", "=factor*rows**1.25*rank*log(rows)", low=1, high=100_000, unit="known entries, at most all"),
        Param("trials", 10, 30, smoke=2, low=1, high=10_000, unit=TRIALS.unit, static=True),
    ),
    judge=judge,
    draw=draw,
    constants={"enough": 1.8},
    least={"factor": 2},
    control=Control(
        "C = 0.8",
        changes={"enough": 0.8},
        breaks=("share recovered from C n^(5/4) r log n entries, the mean of all sizes",),
    ),
    seconds={"quick": 15, "paper": 900},
)
