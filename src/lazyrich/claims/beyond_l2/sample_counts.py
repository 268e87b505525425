"""What claims on the number of known entries share: whether the truth was told by them, and one drawing."""

from ..base import Reading, at_least
from ..drawing import SERIES, Axis, Line, Panel
from .limits import SAME


def told_apart(data):
    """Where the truth has the least nuclear norm of all that fit: 1, else 0."""
    return (data.missed < SAME).astype(float)


def certified(data) -> Reading:
    """Whether every answer of least norm is proved to be one."""
    return at_least(
        "certified answers of least norm", data.certified.mean(), 1, why="else nobody knows what is told apart"
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
