"""Erratum: appendix D.5 prints that the number of entries that completion takes falls with the rank; it rises."""

from ...lab import Param
from ...lab.settings.recoverable import TRIALS, masks
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Drawing
from .sample_counts import certified, share_panel, told_apart


def judge(data, direction) -> Evidence:
    """Shares of draws that are recovered from the same numbers of entries, as the rank grows."""
    share = direction * told_apart(data).mean(("trial", "n"))
    return Evidence(
        sound=[certified(data)],
        holds=[
            at_least(
                "fall of the share recovered from the least rank to the largest",
                share.isel(rank=0) - share.isel(rank=-1),
                0.1,
                why="a rank more is m + n - 2r - 1 numbers more to tell, of 42 in all; forty draws each, a deviation of 0.08",
            ),
            at_least(
                "fall of that share from each rank to the next, the least",
                -share.diff("rank").max(),
                -0.1,
                why="never a rise, up to that deviation; where none are recovered they are alike",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Shares against the number of entries, for each rank."""
    return Drawing(
        [share_panel(told_apart(data).mean("trial"), "rank", "rank")],
        columns=1,
        caption="Entries at random places: the share of draws whose truth has the least nuclear norm of all that fit. "
        "Higher ranks take more entries, not fewer.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Higher ranks take more entries",
    says="The number of known entries that completion takes rises with the rank of the matrix; printed is that it falls.",
    source="beyond_l2, appendix D.5",
    simulation=masks(
        Param("rank", (1, 2, 3), (1, 2, 3, 4), smoke=(1, 2), low=1, high=50, unit="rank of the truth"),
        Param("n", (22, 28, 34, 38), (80, 110, 130, 150), smoke=(14, 18), low=1, high=40_000, unit="known entries"),
        Param("trials", 10, 30, smoke=2, low=1, high=10_000, unit=TRIALS.unit, static=True),
    ),
    judge=judge,
    draw=draw,
    constants={"direction": 1},
    least={"rank": 2},
    control=Control(
        "falls, as printed",
        changes={"direction": -1},
        breaks=("fall of the share recovered from the least rank to the largest",),
    ),
    seconds={"quick": 15, "paper": 900},
)
