"""One panel on its axes: scales, marks, labels at their lines, and a legend inside or beside."""

import math
import warnings
from collections.abc import Collection

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis as AnyAxis
from matplotlib.legend import Legend
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from ..claims.drawing import Axis, Event, Heat, Mark, Panel, Rule, Text
from ..errors import BadInput
from . import labels
from .labels import SMALL
from .marks import Entry, paint, places
from .numbers import drawable
from .palette import BASE, GRID, SOFT, TEXT, inks
from .wording import safe

CROWD = 6  # more entries than this stand beside the panel
TALL = 18  # more than this need a second column
FAR = 1e5  # over more than this, what stands between two powers of ten is too small to count
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Sheet:
    """A panel being drawn: first the marks, then, once the layout is known, its words."""

    def __init__(self, panel: Panel, axes: Axes, *, demoted: Collection[int], outside: bool):
        """Draw the marks; `demoted` labels go to the legend, which stands beside the panel if `outside`."""
        self.panel, self.axes, self.demoted, self.outside = panel, axes, demoted, outside
        self.right = _dress(axes, panel)
        if panel.bare:
            axes.set_axis_off()
        self.inks = inks(panel)
        self.drawn = [(mark, self._axes_of(mark)) for mark in panel.marks]
        entries = [paint(m, own, ink) for (m, own), ink in zip(self.drawn, self.inks, strict=True)]
        _reach(axes, self.right, panel)
        self.legend = self._legend(entries) if panel.legend else None

    def write_words(self) -> tuple[set[int], bool]:
        """Write remarks, names of lines, the legend; gives the names without room, and if the legend fits."""
        paper = labels.paper(self.axes, self.drawn)
        crowded = set()
        for number in sorted(range(len(self.drawn)), key=lambda i: not isinstance(self.drawn[i][0], Text)):
            mark, own = self._written_in_place(number), self.drawn[number][1]
            if mark is None:
                continue
            anyway = isinstance(mark, Text) or not self.panel.legend  # there is no other place for its words
            if not labels.write(mark, own, ink=self.inks[number], on=paper, anyway=anyway) and not anyway:
                crowded.add(number)
        return crowded, self._place_legend(paper)

    def _place_legend(self, paper: labels.Paper) -> bool:
        """Put the legend into a free corner; False if it should stand beside the panel."""
        if self.legend is None or self.outside:
            return True
        corner = labels.corner(self.legend.get_window_extent(), paper)
        if corner is None:
            return False
        self.legend.set_loc("lower left")
        self.legend.set_bbox_to_anchor(corner, transform=self.axes.transAxes)
        return True

    def beside(self) -> float:
        """Inches that a legend beside the panel needs."""
        if self.legend is None or not self.outside:
            return 0.0
        return self.legend.get_window_extent().width / self.axes.figure.dpi + 0.15

    def _axes_of(self, mark: Mark) -> Axes:
        if not getattr(mark, "right", False):
            return self.axes
        if self.right is None:
            raise BadInput(
                needed=f"the mark {mark.name!r} is drawn on the right axis",
                given="a panel without one",
                cure="Give the panel right=Axis(...).",
            )
        return self.right

    def _written_in_place(self, number: int) -> Rule | Event | Text | None:
        """The mark, if its name is to be written where it stands."""
        mark, own = self.drawn[number]
        if not isinstance(mark, Rule | Event | Text) or not mark.name or number in self.demoted:
            return None
        seen = all(np.isfinite(values).all() for values in places(mark, own).values())
        return mark if seen else None

    def _legend(self, entries: list[Entry | None]) -> Legend | None:
        shown: dict[str, tuple] = {}  # marks of one name share an entry, one over the other
        for number, entry in enumerate(entries):
            if entry is not None and entry[1] and self._written_in_place(number) is None:
                words = entry[1] + self._remark(number)
                shown[words] = (*shown.get(words, ()), entry[0])
        if not shown:
            return None
        if len(shown) > CROWD:
            self.outside = True
        return self._make_legend(shown)

    def _remark(self, number: int) -> str:
        """What distinguishes reference lines in a legend, where they look alike; and the side of a curve."""
        mark, own = self.drawn[number]
        if number in self.demoted and isinstance(mark, Rule | Event):
            return f" ({mark.y:.3g})" if isinstance(mark, Rule) else f" (at {mark.x:.3g})"
        return " (right)" if own is self.right else ""

    def _make_legend(self, shown: dict[str, tuple]) -> Legend:
        anchor = {"loc": "lower left", "bbox_to_anchor": (0, 0)}
        if self.outside:
            gap = 1.02 if self.right is None else 1.16
            anchor = {"loc": "upper left", "bbox_to_anchor": (gap, 1.0)}
        legend = (self.right or self.axes).legend(
            list(shown.values()), [safe(words) for words in shown], **anchor,
            fontsize=SMALL, frameon=not self.outside, framealpha=0.9, edgecolor="none", facecolor="white",
            handlelength=2.1, labelspacing=0.42, borderaxespad=0, borderpad=0.3, labelcolor=TEXT,
            ncols=-(-len(shown) // TALL),
        )  # fmt: skip
        legend.set_in_layout(self.outside)
        legend.set_zorder(5.5)
        return legend


def _dress(axes: Axes, panel: Panel) -> Axes | None:
    """Scales, names, grid and spines; the axes of the right side, if there is one."""
    axes.set_xscale(panel.x.scale)
    axes.set_yscale(panel.y.scale)
    axes.set_xlabel(_words(panel.x), fontsize=9.2, color=TEXT, labelpad=4)
    axes.set_ylabel(_words(panel.y), fontsize=9.2, color=TEXT, labelpad=5)
    if panel.title:
        axes.set_title(safe(panel.title), loc="left", fontsize=9.8, color=TEXT, pad=7)
    axes.grid(True, which="major", color=GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    _lines(axes, ("left", "bottom"))
    if panel.right is None:
        return None
    right = axes.twinx()
    right.set_yscale(panel.right.scale)
    color = next((BASE[m.role] for m in panel.marks if getattr(m, "right", False)), TEXT)
    right.set_ylabel(_words(panel.right), fontsize=9.2, color=color, labelpad=6)
    _lines(right, ("right", "bottom"))
    right.tick_params(axis="y", labelcolor=color)
    return right


def _lines(axes: Axes, sides: tuple[str, ...]) -> None:
    for side, spine in axes.spines.items():
        spine.set_visible(side in sides)
        spine.set_color("#9aa2ab")
        spine.set_linewidth(0.8)
    axes.tick_params(which="both", color="#9aa2ab", labelcolor=SOFT, labelsize=8.2, width=0.7)
    axes.tick_params(which="major", length=3.5)
    axes.tick_params(which="minor", length=1.8)


def _reach(axes: Axes, right: Axes | None, panel: Panel) -> None:
    """Limits: those asked for where an axis can have them, else the data's with a little air."""
    for own in (axes, right) if right is not None else (axes,):
        own.margins(x=0, y=0)
    with warnings.catch_warnings():
        # One value alone has no extent; matplotlib widens the axis around it and says so.
        warnings.filterwarnings("ignore", message="Attempting to set identical low and high")
        cells = any(isinstance(mark, Heat) for mark in panel.marks)  # which fill the panel to its edges
        axes.set_xlim(*_limits(panel.x, axes.get_xlim(), air=0.0 if cells else 0.02))
        axes.set_ylim(*_limits(panel.y, axes.get_ylim(), air=0.0 if cells else 0.06))
        if right is not None and panel.right is not None:
            right.set_ylim(*_limits(panel.right, right.get_ylim(), air=0.06))
    _ticks(axes.xaxis, panel.x)
    _ticks(axes.yaxis, panel.y)
    if right is not None and panel.right is not None:
        _ticks(right.yaxis, panel.right)


def _limits(axis: Axis, found: tuple[float, float], *, air: float) -> tuple[float, float]:
    wanted = drawable(np.array([axis.low, axis.high], dtype=float), axis.scale)
    asked = np.isfinite(wanted)
    ends = np.where(asked, wanted, found)
    if ends[0] == ends[1] or (ends[0] > ends[1] and not asked.all()):
        ends, asked = np.array(found), np.array([False, False])
    if axis.scale == "log":
        ends = np.log10(ends)
    ends = np.where(asked, ends, ends + air * (ends[1] - ends[0]) * np.array([-1, 1]))
    if not ends[0] < ends[1] and not asked.all():
        ends = ends[0] + np.array([-0.5, 0.5])
    low, high = 10.0**ends if axis.scale == "log" else ends
    return float(low), float(high)


def _ticks(side: AnyAxis, axis: Axis) -> None:
    """On a logarithmic axis, powers of ten; of under two decades, plain numbers."""
    low, high = sorted(side.get_view_interval())
    if axis.scale != "log" or not 0 < low < high:
        return
    if 1e-4 < low and high < 1e5 and high < 120 * low:
        side.set_major_locator(LogLocator(subs=(1, 2, 5)) if high / low > 6 else MaxNLocator(5))
        side.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    elif high > 100 * low:
        side.set_major_formatter(FuncFormatter(lambda value, _: _power(value)))
        if high > FAR * low:
            side.set_minor_locator(NullLocator())
    else:
        return
    side.set_minor_formatter(NullFormatter())


def _power(value: float) -> str:
    """A power of ten as plain text: matplotlib parses what it sets as a formula, which costs more than the drawing."""
    return "10" + str(round(math.log10(value))).translate(_RAISED) if value > 0 else ""


def _words(axis: Axis) -> str:
    return safe(f"{axis.label} [{axis.unit}]" if axis.unit else axis.label)
