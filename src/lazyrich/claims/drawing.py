"""A figure as plain data: the numbers and what they mean, no ink.

The same record is drawn by matplotlib and by the page. Colors follow from the role, so that "measured" and
"theory" look the same in every figure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

Role = Literal["measured", "second", "theory", "control"]
SERIES: tuple[Role, ...] = ("measured", "second", "control")
"""Roles of curves of one kind, as many as look apart."""
Scale = Literal["linear", "log"]
Numbers = Any  # a sequence or array of numbers


@dataclass(frozen=True)
class Axis:
    """One axis of a panel: what it shows, its unit, its scale, and limits where they are wanted."""

    label: str
    unit: str = ""
    scale: Scale = "linear"
    low: int | float | None = None
    high: int | float | None = None


@dataclass(frozen=True)
class Line:
    """A curve through points."""

    name: str
    x: Numbers
    y: Numbers
    role: Role = "measured"
    right: bool = False


@dataclass(frozen=True)
class Band:
    """The region between two curves: a spread over draws."""

    name: str
    x: Numbers
    low: Numbers
    high: Numbers
    role: Role = "measured"


@dataclass(frozen=True)
class Points:
    """Separate points, with error bars where given."""

    name: str
    x: Numbers
    y: Numbers
    error: Numbers | None = None
    role: Role = "measured"
    right: bool = False


@dataclass(frozen=True)
class Rule:
    """A horizontal reference line: a level that theory or the paper names."""

    name: str
    y: int | float
    role: Role = "theory"


@dataclass(frozen=True)
class Event:
    """A vertical reference line: a time or a scale that theory or the paper names."""

    name: str
    x: int | float
    role: Role = "theory"


@dataclass(frozen=True)
class Slope:
    """A power law through a point, drawn on logarithmic axes beside the data it is compared with."""

    name: str
    x: Numbers
    through: tuple[float, float]
    exponent: int | float
    role: Role = "theory"


@dataclass(frozen=True)
class Text:
    """A short remark at a place in data coordinates."""

    name: str
    x: int | float
    y: int | float
    role: Role = "theory"


@dataclass(frozen=True)
class Heat:
    """A color for each cell of a grid: row i of `values` belongs to y[i], column j to x[j], the centers of the cells."""

    name: str
    x: Numbers
    y: Numbers
    values: Numbers
    scale: Scale = "linear"
    low: int | float | None = None
    high: int | float | None = None
    role: Role = "measured"


Mark = Line | Band | Points | Rule | Event | Slope | Text | Heat


@dataclass(frozen=True)
class Panel:
    """Marks on one pair of axes, with a second vertical axis on the right where wanted; `bare` shows no axes at all."""

    marks: Sequence[Mark]
    x: Axis
    y: Axis
    right: Axis | None = None
    title: str = ""
    legend: bool = True
    bare: bool = False


@dataclass(frozen=True)
class Drawing:
    """Panels in a grid, and a caption that says what is to be seen."""

    panels: Sequence[Panel]
    caption: str = ""
    columns: int = field(default=2)


_KINDS = {kind.__name__: kind for kind in (Drawing, Panel, Axis, *get_args(Mark))}


def as_json(part: Any) -> Any:
    """A drawing as plain data: records with their kind, arrays as lists, NaN and infinities as words."""
    if type(part).__name__ in _KINDS and isinstance(part, tuple(_KINDS.values())):
        return {"kind": type(part).__name__} | {f.name: as_json(getattr(part, f.name)) for f in fields(part)}
    if hasattr(part, "to_numpy"):  # with labels
        part = part.to_numpy()
    if hasattr(part, "tolist"):
        part = part.tolist()
    if isinstance(part, list | tuple):
        return [as_json(one) for one in part]
    return {"float": repr(part)} if isinstance(part, float) and part - part != 0 else part


def from_json(found: Any) -> Any:
    """The drawing that `as_json` wrote."""
    if isinstance(found, Mapping) and "float" in found:
        return float(found["float"])
    if isinstance(found, Mapping):
        return _KINDS[found["kind"]](**{name: from_json(value) for name, value in found.items() if name != "kind"})
    if isinstance(found, list):
        return tuple(from_json(one) for one in found)
    return found
