"""Figure 45: matrix completion is over sooner when entries of large local coherence are among those known."""

import numpy as np

from ...lab.settings.coherent_completion import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from .limits import SAME
from .nuclear_limits import least_norm


def judge(data, told) -> Evidence:
    """Times of recovery, never where it cannot be, and how many draws are found, as more entries are chosen."""
    good = told["missed"] < SAME
    times = data.finds.where(good, np.inf).median("trial")
    found = (data.finds < np.inf).mean(("trial", "n"))
    most = times.isel(n=-1)
    return Evidence(
        sound=[
            at_least(
                "share of draws whose truth has the least norm, with the most entries and none chosen",
                good.isel(n=-1, coherence=0).mean(),
                0.5,
                why="where it has not it is never found, and a median is a time only if most are",
            )
        ],
        holds=[
            at_most(
                "median time of recovery with all entries chosen over that with none, with the most entries",
                most.isel(coherence=-1) / most.isel(coherence=0),
                0.7,
                why="entries that carry the matrix leave less to find; a dozen draws of heavy-tailed times",
            ),
            at_least(
                "share found with all entries chosen, less that with none",
                found.isel(coherence=-1) - found.isel(coherence=0),
                0.1,
                why="masks that cannot recover are rarer, and late ones too",
            ),
            at_most(
                "error of the first step with all entries chosen over that with none, the mean",
                data.first.isel(coherence=-1).mean() / data.first.isel(coherence=0).mean(),
                0.85,
                why="what is not known carries less of the matrix",
            ),
        ],
    )


def draw(data, told, level) -> Drawing:
    """The median error in slow time, for each part that is chosen, at each number of entries."""
    panels = []
    for n in (data.n.values[0], data.n.values[-1]):
        marks = []
        for at, part in enumerate(data.coherence.values):
            one = data.sel(n=n, coherence=part)
            slow = one.slow.isel(trial=0).values
            curve = one.recovery.median("trial").values
            marks.append(Line(f"chosen part {float(part):g}", slow[1:], curve[1:], role=SERIES[at % len(SERIES)]))
        panels.append(
            Panel(
                [*marks, Rule("found", float(level))],
                x=Axis("rate x strength x steps", scale="log"),
                y=Axis("relative error, the median", scale="log"),
                title=f"{int(n)} known entries",
            )
        )
    return Drawing(
        panels,
        caption="Projected descent with a nuclear penalty. A part of the known entries is chosen where local coherences "
        "of rows and columns are largest: with more of them the matrix is found sooner, and from fewer entries.",
    )


CLAIM = Claim(
    kind="figure",
    title="Chosen entries end completion sooner",
    says="The larger the part of the known entries that is taken where local coherences are largest, the sooner "
    "completion with a nuclear penalty finds the matrix, and the more draws it finds: the contrary of sparse recovery.",
    source="beyond_l2, figure 45",
    simulation=SIMULATION,
    refer=least_norm,
    judge=judge,
    draw=draw,
    least={"coherence": 2},
    control=Control(
        "taken where local coherences are least",
        changes={"order": -1},
        breaks=(
            "median time of recovery with all entries chosen over that with none, with the most entries",
            "share found with all entries chosen, less that with none",
            "error of the first step with all entries chosen over that with none, the mean",
        ),
    ),
    seconds={"quick": 20, "paper": 1800},
)
