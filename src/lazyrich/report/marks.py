"""Ink for each kind of mark, on matplotlib axes.

`paint` draws a mark and returns its entry for a legend, or None where the mark is text itself.
Values without a place on the axis (NaN, infinite, not positive on a logarithmic axis) leave a gap; a mark
with nothing left says so in the legend.
"""

from contextlib import contextmanager
from functools import singledispatch

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ..claims.drawing import Band, Event, Heat, Line, Mark, Points, Rule, Slope, Text
from .numbers import drawable, grid, quantities
from .palette import HEAT, SOFT, TEXT, Ink
from .wording import safe

_BELOW_EVERYTHING = 1e-300  # where a spread reaches zero on a logarithmic axis

Entry = tuple[Artist, str]


def places(mark: Mark, axes: Axes) -> dict[str, np.ndarray]:
    """The numbers of a mark that have a place on these axes; NaN for the others."""
    found = quantities(mark)
    x_scale, y_scale = axes.get_xscale(), axes.get_yscale()
    shown = {"x": drawable(found["x"], x_scale)} if "x" in found else {}
    if isinstance(mark, Slope):
        found["y"] = _power(mark, shown["x"])
    for name in ("y", "low", "high"):
        if name in found:
            shown[name] = drawable(found[name], y_scale)
    if isinstance(mark, Band) and y_scale == "log":
        reaches_zero = (found["low"] <= 0) & np.isfinite(shown["high"])
        shown["low"] = np.where(reaches_zero, _BELOW_EVERYTHING, shown["low"])
    return shown


@singledispatch
def paint(mark: Mark, axes: Axes, ink: Ink) -> Entry | None:
    """Draw one mark; the legend's handle and words, or None."""
    raise NotImplementedError(type(mark).__name__)


@paint.register(Line)
@paint.register(Slope)
def _(mark: Line | Slope, axes: Axes, ink: Ink) -> Entry | None:
    at = places(mark, axes)
    seen = np.isfinite(at["x"]) & np.isfinite(at["y"])
    alone = ink.marker if seen.sum() == 1 else ""
    style = {"color": ink.color, "linestyle": ink.dash, "linewidth": ink.width, "solid_capstyle": "round"}
    axes.plot(at["x"], at["y"], zorder=ink.order, marker=alone, markersize=4, **style)
    return Line2D([], [], marker=alone, markersize=4, **style), _words(mark, bool(seen.any()))


@paint.register(Band)
def _(mark: Band, axes: Axes, ink: Ink) -> Entry | None:
    at = places(mark, axes)
    seen = np.isfinite(at["x"]) & np.isfinite(at["low"]) & np.isfinite(at["high"])
    style = {"facecolor": ink.color, "alpha": 0.17, "linewidth": 0}
    with _limits_from(axes, at["x"][seen], at["low"][seen], at["high"][seen]):
        axes.fill_between(at["x"], at["low"], at["high"], where=seen, zorder=1.6, **style)
    return Patch(**style), _words(mark, bool(seen.any()))


@paint.register(Points)
def _(mark: Points, axes: Axes, ink: Ink) -> Entry | None:
    at = places(mark, axes)
    seen = np.isfinite(at["x"]) & np.isfinite(at["y"])
    hollow = mark.role in ("theory", "control")
    style = {"marker": ink.marker, "linestyle": "", "markersize": 5.2, "color": ink.color}
    style |= {"markerfacecolor": "white" if hollow else ink.color, "markeredgewidth": 1.2 if hollow else 0.7}
    style |= {"markeredgecolor": ink.color if hollow else "white"}
    axes.plot(at["x"][seen], at["y"][seen], zorder=ink.order + 0.5, **style)
    if mark.error is not None:
        _error_bars(mark, axes, ink)
    never = np.isfinite(at["x"]) & np.isposinf(quantities(mark)["y"])
    if never.any():
        _at_the_top(at["x"][never], axes, ink)
    remark = " (arrow: never)" if never.any() else ""
    return Line2D([], [], **style), _words(mark, bool((seen | never).any()), remark)


@paint.register(Rule)
def _(mark: Rule, axes: Axes, ink: Ink) -> Entry | None:
    y = places(mark, axes)["y"][0]
    style = {"color": ink.color, "linestyle": ink.dash, "linewidth": ink.width}
    if np.isfinite(y):
        axes.axhline(y, zorder=1.9, **style)
    return Line2D([], [], **style), _words(mark, bool(np.isfinite(y)))


@paint.register(Event)
def _(mark: Event, axes: Axes, ink: Ink) -> Entry | None:
    x = places(mark, axes)["x"][0]
    style = {"color": ink.color, "linestyle": ink.dash, "linewidth": ink.width}
    if np.isfinite(x):
        axes.axvline(x, zorder=1.9, **style)
    if np.isposinf(mark.x):
        return Line2D([], [], **style), f"{mark.name}: never" if mark.name else ""
    return Line2D([], [], **style), _words(mark, bool(np.isfinite(x)))


@paint.register(Text)
def _(mark: Text, axes: Axes, ink: Ink) -> Entry | None:
    return None  # words: written once the rest is in its place


@paint.register(Heat)
def _(mark: Heat, axes: Axes, ink: Ink) -> Entry | None:
    x, y, values = grid(mark)
    shown = drawable(values, mark.scale)
    edges = [_edges(centers, scale) for centers, scale in ((x, axes.get_xscale()), (y, axes.get_yscale()))]
    norm = (LogNorm if mark.scale == "log" else Normalize)(mark.low, mark.high)
    mesh = axes.pcolormesh(*edges, np.ma.masked_invalid(shown), cmap=HEAT, norm=norm, zorder=1.5, rasterized=True)
    bar = axes.figure.colorbar(mesh, ax=axes, pad=0.02, aspect=28)
    bar.set_label(safe(mark.name), fontsize=9.2, color=TEXT)
    bar.ax.tick_params(labelsize=8.2, labelcolor=SOFT, width=0.7)
    bar.outline.set_visible(False)  # pyright: ignore[reportCallIssue]
    return None  # the bar beside it has its words


def _edges(centers: np.ndarray, scale: str) -> np.ndarray:
    """Where the cells around these centers end: halfway between two of them, in the axis's own scale."""
    along = np.log(centers) if scale == "log" else centers
    middle = (along[1:] + along[:-1]) / 2
    first, last = (along[0] - 0.5, along[-1] + 0.5) if along.size == 1 else (2 * along[0] - middle[0], 2 * along[-1] - middle[-1])
    found = np.concatenate([[first], middle, [last]])
    return np.exp(found) if scale == "log" else found


def _power(mark: Slope, x: np.ndarray) -> np.ndarray:
    """The law y = y0 (x / x0)^exponent; nowhere defined through a point that is not positive."""
    (x0, y0), exponent = mark.through, mark.exponent
    with np.errstate(all="ignore"):
        return np.where(x0 > 0, y0 * np.power(np.abs(x / x0) if x0 else np.nan * x, exponent), np.nan)


def _error_bars(mark: Points, axes: Axes, ink: Ink) -> None:
    at, error = places(mark, axes), quantities(mark)["error"]
    seen = np.isfinite(at["x"]) & np.isfinite(at["y"]) & np.isfinite(error)
    x, y, error = at["x"][seen], at["y"][seen], error[seen]
    low, high = y - error, y + error
    if axes.get_yscale() == "log":
        low = np.where(low > 0, low, _BELOW_EVERYTHING)
    with _limits_from(axes, x, low, high):
        axes.vlines(x, low, high, color=ink.color, linewidth=1.1, alpha=0.75, zorder=ink.order + 0.2)


def _at_the_top(x: np.ndarray, axes: Axes, ink: Ink) -> None:
    """What never happened: an arrow at the upper edge, outside every finite value."""
    across = axes.get_xaxis_transform()
    axes.plot(
        x, np.full(x.shape, 0.985), transform=across, linestyle="", marker=r"$\uparrow$", markersize=8,
        color=ink.color, markeredgewidth=0.3, zorder=4, clip_on=False,
    )  # fmt: skip


@contextmanager
def _limits_from(axes: Axes, x: np.ndarray, low: np.ndarray, high: np.ndarray):
    """Let only real values, not the stand-in for zero, decide how far the axis reaches."""
    before = axes.dataLim.frozen()
    yield
    axes.dataLim.set(before)
    real = low != _BELOW_EVERYTHING
    points = np.concatenate([np.column_stack([x, high]), np.column_stack([x[real], low[real]])])
    if len(points):
        axes.update_datalim(points)


def _words(mark: Mark, anything: bool, remark: str = "") -> str:
    if not mark.name:
        return ""
    return mark.name + (remark if anything else " (nothing to show)")
