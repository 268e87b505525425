"""What many figures are made of: families of curves, power laws, logarithmic axes, a single panel."""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any

import numpy as np

from .drawing import SERIES, Axis, Drawing, Line, Mark, Panel, Points, Role, Slope

RAMP: tuple[Role, ...] = ("measured",)
"""The role of a family whose colors are a ramp along its axis."""


def tex(number: Any) -> str:
    r"""A number as TeX: 0.03, 10^{-5}."""
    digits, _, power = f"{float(number):g}".partition("e")
    return (("" if digits == "1" else rf"{digits} \cdot ") + f"10^{{{int(power)}}}") if power else digits


def log_axis(label: str, **more: Any) -> Axis:
    """A logarithmic axis."""
    return Axis(label, scale="log", **more)


def one_panel(marks: Sequence[Mark], x: Axis, y: Axis, caption: str, title: str = "") -> Drawing:
    """A drawing of a single panel."""
    return Drawing([Panel(marks, x, y, title=title)], columns=1, caption=caption)


def family(
    name: str, x: Any, y: Any, axis: str, *, mark: Callable[..., Mark] = Line, roles: Sequence[Role] = SERIES
) -> list[Any]:
    """A mark for each value along an axis of `y`, named with the value in the place of "{}".

    All other axes are laid side by side. A labelled `x` may vary along any of them.
    """
    x = x.broadcast_like(y).transpose(*y.dims) if hasattr(x, "dims") else x
    marks = []
    for at, (value, role) in enumerate(zip(y[axis].values, cycle(roles), strict=False)):
        across, along = (part.isel({axis: at}).values.ravel() if hasattr(part, "dims") else part for part in (x, y))
        marks.append(mark(name.replace("{}", tex(value)), across, along, role=role))
    return marks


def equal(*values: Any) -> Line:
    """The line on which both axes are equal, from the smallest to the largest of the values."""
    ends = [float(f([f(part) for part in values])) for f in (np.min, np.max)]
    return Line("equal", ends, ends, role="theory")


def power_law(name: str, marks: Sequence[Points], exponent: Any, role: Role = "theory") -> Slope:
    """A power law over the range of all marks, through the first one's point of largest x."""
    last = int(np.nanargmax(marks[0].x))
    ends = [float(min(np.nanmin(mark.x) for mark in marks)), float(max(np.nanmax(mark.x) for mark in marks))]
    return Slope(name, ends, (float(marks[0].x[last]), float(marks[0].y[last])), exponent, role=role)
