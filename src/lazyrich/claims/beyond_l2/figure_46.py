"""Figure 46: errors and times of matrix completion over the number of known entries and the part of them that is chosen."""

import numpy as np

from ...lab.settings.coherent_completion import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Heat, Panel
from .limits import SAME
from .nuclear_limits import least_norm


def judge(data, told, level) -> Evidence:
    """The map of errors beside the draws that can be recovered, and how it falls along both of its sides."""
    good = told["missed"] < SAME
    found = data["last"] < level
    error = data["last"].mean("trial")
    corner = error.sortby("n").sortby("coherence")
    return Evidence(
        holds=[
            at_most(
                "share of draws found whose truth has not the least nuclear norm",
                (found & (told["missed"] > 2 * level)).mean(),
                0,
                why="descent ends at the least norm, which is elsewhere",
            ),
            at_least(
                "share found of the draws whose truth has the least nuclear norm",
                (found & good).sum() / good.sum(),
                0.85,
                why="all, but for those that are later than the horizon",
            ),
            at_most(
                "mean error with most entries, all chosen, over that with fewest, none chosen",
                corner.isel(n=-1, coherence=-1) / corner.isel(n=0, coherence=0),
                0.2,
                why="nearly all draws are found in the one corner, few in the other",
            ),
            at_most(
                "mean error with all entries chosen over that with none, the mean over numbers of entries",
                (error.isel(coherence=-1) / error.isel(coherence=0).mean("n")).mean(),
                0.5,
                why="masks that cannot recover are rarer",
            ),
        ],
    )


def draw(data, told, reach) -> Drawing:
    """Two maps: the mean error at the end and the median time of recovery."""
    x, y = data.n.values, data.coherence.values
    order = ("coherence", "n")
    error = data["last"].mean("trial").transpose(*order).values
    times = data.finds.where(data.finds < np.inf, reach).median("trial").transpose(*order).values
    panels = [
        Panel(
            [Heat(name, x, y, values, scale="log")],
            x=Axis("known entries"),
            y=Axis("part of them that is chosen"),
            title=title,
        )
        for name, values, title in (
            ("relative error", error, "Mean error at the end"),
            ("rate x strength x steps", times, "Median time of recovery, at most the horizon"),
        )
    ]
    return Drawing(
        panels,
        caption="Projected descent with a nuclear penalty over the number of known entries and the part of them that is "
        "chosen where local coherences are largest. More of either: smaller errors, sooner.",
    )


CLAIM = Claim(
    kind="figure",
    title="A map of matrix completion",
    says="Errors of completion with a nuclear penalty fall with the number of known entries and with the part of them "
    "that is taken where local coherences are largest; what is found is what has the least nuclear norm.",
    source="beyond_l2, figure 46",
    simulation=SIMULATION,
    refer=least_norm,
    judge=judge,
    draw=draw,
    least={"coherence": 2},
    control=Control(
        "taken where local coherences are least",
        changes={"order": -1},
        breaks=("mean error with all entries chosen over that with none, the mean over numbers of entries",),
    ),
    seconds={"quick": 20, "paper": 1800},
)
