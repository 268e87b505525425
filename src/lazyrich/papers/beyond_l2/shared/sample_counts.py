"""What claims on the number of known entries share: whether the truth was told by them, and one drawing."""

from ..base import Reading, at_least
from ..drawing import SERIES, Axis, Line, Panel
from .limits import SAME


def told_apart(data):
    """Where the truth is proved to have the least nuclear norm of all that fit: 1, else 0."""
    return ((data.missed < SAME) & (data.certified > 0)).astype(float)


def certified(data) -> Reading:
    """Whether answers of least norm are proved to be some."""
    return at_least(
        "certified answers of least norm",
        data.certified.mean(),
        0.95,
        why="one that is not counts as not recovered; one in a hundred stops short of its gap, and more would bend the shares",
    )


def share_panel(share, axis: str, name: str, *, x: str = "n", label: str = "known entries") -> Panel:
    """The share of draws that are recovered against the number of entries, a line for each value of another axis."""
    marks = [
        Line(
            f"{name} {float(value):g}", share[x].values, share.sel({axis: value}).values, role=SERIES[at % len(SERIES)]
        )
        for at, value in enumerate(share[axis].values)
    ]
    return Panel(marks, x=Axis(label), y=Axis("share of draws recovered", low=-0.02, high=1.02))
