"""What claims on the number of observed entries share: whether they determine the matrix, and one drawing."""

from ....claims.base import Reading, at_least
from ....claims.drawing import Axis, Panel
from ....claims.marks import family
from .limits import SAME


def recovered(data):
    """1 where the ground truth is certified to be the minimum-nuclear-norm interpolant, else 0."""
    return ((data.recovery_error < SAME) & (data.certified > 0)).astype(float)


def certified(data) -> Reading:
    """Whether minimum-nuclear-norm interpolants are certified."""
    return at_least(
        "fraction of certified minimum-nuclear-norm interpolants",
        data.certified.mean(),
        0.95,
        key="certified",
        why="the others count as not recovered; 1 in 100 exceeds the allowed duality gap, and more would bias the fractions",
    )


def fraction_panel(fraction, axis: str, name: str, *, x: str = "n", label: str = "observed entries") -> Panel:
    """The fraction of recovered trials against the number of entries, a line for each value of another axis."""
    marks = family(f"{name} {{}}", fraction[x].values, fraction, axis)
    return Panel(marks, Axis(label), Axis("fraction of trials recovered", low=-0.02, high=1.02))
