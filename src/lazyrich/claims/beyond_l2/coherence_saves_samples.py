"""The number of entries that completion takes falls when those of the largest local coherence are among them."""

from ...lab import Param
from ...lab.settings.recoverable import TRIALS, masks
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Drawing
from .sample_counts import certified, share_panel, told_apart


def judge(data) -> Evidence:
    """Shares of draws that are recovered, on average over numbers of entries, as more of them are chosen."""
    share = told_apart(data).mean(("trial", "n"))
    return Evidence(
        sound=[certified(data)],
        holds=[
            at_least(
                "share recovered with all entries chosen, less that with none, the mean over numbers of entries",
                share.isel(coherence=-1) - share.isel(coherence=0),
                0.25,
                why="the number that takes half of the draws is a quarter lower; forty draws each, a deviation of 0.08",
            ),
            at_least(
                "rise of that share from each part that is chosen to the next, the least",
                share.diff("coherence").min(),
                -0.1,
                why="more chosen, more recovered, up to a deviation of 0.08; where nearly all are they are alike",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Shares against the number of entries, for each part that is chosen."""
    return Drawing(
        [share_panel(told_apart(data).mean("trial"), "coherence", "chosen part")],
        columns=1,
        caption="A part of the entries is chosen where local coherences of rows and columns are largest, the others are "
        "at random: the share of draws whose truth has the least nuclear norm of all that fit.",
    )


CLAIM = Claim(
    kind="statement",
    title="Chosen entries tell a matrix sooner",
    says="The larger the part of the entries that is taken where local coherences are largest, the fewer entries "
    "completion by the least nuclear norm takes.",
    source="beyond_l2, appendix D.10",
    simulation=masks(
        Param("coherence", (0.0, 0.5, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0), smoke=(0.0, 1.0), low=0.0, high=1.0),
        Param("n", (16, 20, 24, 30), (60, 76, 92, 108), smoke=(10, 14), low=1, high=40_000, unit="known entries"),
        Param("trials", 10, 30, smoke=2, low=1, high=10_000, unit=TRIALS.unit, static=True),
    ),
    judge=judge,
    draw=draw,
    least={"coherence": 2},
    control=Control(
        "taken where local coherences are least",
        changes={"order": -1},
        breaks=("share recovered with all entries chosen, less that with none, the mean over numbers of entries",),
    ),
    seconds={"quick": 15, "paper": 900},
)
