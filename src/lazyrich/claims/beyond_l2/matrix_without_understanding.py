"""A matrix from a large start with decay alone: the error falls late, and unknown entries end at zero, however many are known."""

from ...lab.settings.matrix_factors import ALONE
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from .without_understanding import stable


def judge(data) -> Evidence:
    """The fall after the fit, and what is missed at the end beside what is not known."""
    end = data.recovery.isel(t=-1)
    return Evidence(
        sound=[stable(data)],
        holds=[
            at_least(
                "recovery error when known entries are fitted over that at the end, the least",
                data.fall.min(),
                2,
                why="unknown entries start at size 20/sqrt(d) each, 20 in all beside a truth of size one, and only decay forgets "
                "them: a share of unknown entries of 0.2 leaves a fall by 9 of an error of 0.4",
            ),
            at_most(
                "recovery error at the end less the size of what is not known, over it, the farthest",
                abs(end / data.unseen - 1).max(),
                1e-2,
                why="known entries are shrunk by the decay, 1e-3, and unknown ones are zero",
            ),
            at_least(
                "recovery error at the end, the median draw, the least over numbers of entries",
                end.median("trial").min(),
                0.2,
                why="a share of 0.2 of the entries is unknown and holds as much of the square on average: 0.4 of the size",
            ),
            at_most(
                "distance from the ridge answer at the end, relative, the largest",
                data.from_ridge.max(),
                1e-4,
                why="exp(-20) of the start is left, 4e-8 beside an answer of size one half",
            ),
        ],
    )


def draw(data, n) -> Drawing:
    """Errors and norm of one draw, for each number of known entries."""
    x = Axis("steps", scale="log")
    parts = {
        "recovery": "relative error of recovery",
        "train": "relative error of known entries",
        "l2": "Frobenius norm",
    }
    titles = {"recovery": "Looks like grokking", "train": "Fitted early", "l2": "Size"}
    panels = []
    for curve, label in parts.items():
        marks = []
        for role, count in zip(SERIES, n.values[-len(SERIES) :], strict=False):
            one = data.sel(n=count).isel(trial=0, t=slice(1, None))
            y = one[curve].values.clip(min=1e-6)
            marks.append(Line(f"{int(count)} entries", one.steps.values, y, role=role))
        panels.append(Panel(marks, x=x, y=Axis(label, scale="log"), title=titles[curve], legend=curve == "recovery"))
    return Drawing(
        panels,
        columns=3,
        caption="One draw of completion from a large start with decay alone. The error of recovery falls long after the known "
        "entries are fitted, and ends where unknown ones are zero: with few known entries or with many.",
    )


CLAIM = Claim(
    kind="statement",
    title="Completion: a transition without understanding",
    says="From a large start with decay alone the error of a matrix to be completed falls abruptly, long after the known entries "
    "are fitted, and ends with zeros for all unknown entries, however many are known: the start is forgotten, nothing is found.",
    source="beyond_l2, appendix D.9",
    simulation=ALONE,
    judge=judge,
    draw=draw,
    control=Control(
        "a start that is small",
        changes={"start": 1e-6},
        breaks=("recovery error when known entries are fitted over that at the end, the least",),
    ),
    seconds={"quick": 8, "paper": 20},
)
