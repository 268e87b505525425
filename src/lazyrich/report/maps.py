"""A sweep as a figure: curves along one axis or a map over two, with the lines on which theory puts a transition."""

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..claims.drawing import SERIES, Axis, Drawing, Heat, Line, Mark, Panel, Scale
from ..errors import BadInput
from ..lab.formula import evaluate, names
from . import figures

if TYPE_CHECKING:
    import xarray as xr

# Panels that one figure may have, and lines in a panel of curves.
MOST, LINES = 12, len(SERIES)
# Where a transition line is looked for between the ends of two axes.
ACROSS, ALONG = 161, 601


def save(data: "xr.Dataset", folder: str | os.PathLike, **chosen: Any) -> list[pathlib.Path]:
    """NAME.png, NAME.svg and NAME.csv of a sweep; the options are those of `draw`."""
    told = data.attrs
    done = f", {told['done']} points so far" if told.get("growing") else ""
    footer = f"{told['id']}, size {told['size']}, seed {told['seed']}{done}"
    drawing = draw(data, **chosen)
    return figures.save(drawing, folder, f"sweep-{told['run']}", title=told.get("title") or told["id"], footer=footer)


def draw(
    data: "xr.Dataset",
    *,
    measure: str | None = None,
    x: str | None = None,
    y: str | None = None,
    facet: str | None = None,
    at: Mapping[str, float] | None = None,
    edges: Mapping[str, str] | None = None,
) -> Drawing:
    """A measure over the axes x and y, a panel for each value of `facet`; medians over trials and all other axes.

    `at` takes an axis at its value nearest to a number in place of the median; an axis of the measure's own, such as time, is
    taken at its end. With one axis left the measure is drawn as curves. `edges` are formulas that are 1 on a line.
    """
    swept = [name for name in data.attrs.get("over") or () if name in data.attrs["axes"]]
    axes = tuple(dict.fromkeys((*swept, *data.attrs["axes"])))
    array = _measured(data, measure, axes)
    fixed = {name: _nearest(array, name, value) for name, value in (at or {}).items()}
    array = array.sel(fixed)
    free = [name for name in axes if name in array.dims and array.sizes[name] > 1]
    x = _chosen(x, free, [one for one in free if one not in (y, facet)]) if free else None
    if x is None:
        raise BadInput(needed="an axis with several values", given="none left", cure="Take fewer values with --at.")
    others = [one for one in free if one not in (x, facet)]
    y = _chosen(y, free, others) if others else None
    kept = [one for one in (facet, x, y) if one is not None]
    array = array.median([name for name in array.dims if name not in kept], skipna=True)
    shown = [array] if facet is None else [array.sel({facet: value}) for value in array[facet].values]
    if len(shown) > MOST:
        raise BadInput(
            needed=f"a figure has up to {MOST} panels",
            given=f"{len(shown)} values of {facet}",
            cure="Fix it with --at.",
        )
    lines = {**(data.attrs.get("edges") or {}), **(edges or {})}
    params = {
        name: value[0] if np.size(value) == 1 and np.ndim(value) else value
        for name, value in data.attrs["params"].items()
    }
    settled = {name: value for name, value in params.items() if isinstance(value, int | float)} | fixed
    scale = _measure_scale(array.values)
    panels = []
    for one in shown:
        own = settled | ({facet: float(one[facet])} if facet else {})
        marks = _map(one, x, y, lines, own, scale) if y is not None else _curves(one, x)
        title = f"{facet} = {float(one[facet]):.3g}" if facet else ""
        vertical = Axis(y, scale=_scale(array[y].values)) if y is not None else Axis(str(array.name), scale=scale)
        panels.append(Panel(marks, x=Axis(x, scale=_scale(array[x].values)), y=vertical, title=title))
    return Drawing(panels, columns=1 if len(panels) == 1 else 2, caption=_caption(data, array, kept, fixed))


def _measured(data: "xr.Dataset", measure: str | None, axes: Sequence[str]) -> "xr.DataArray":
    """The array that is asked for, at the end of its own axes; the first that is one number a trial if none is."""
    told = [name for name in data.attrs.get("returns") or () if name in data]
    known = list(dict.fromkeys((*told, *map(str, data.data_vars))))
    numbers = [name for name in known if set(data[name].dims) <= {*axes, "trial"}]
    usual = [name for name in numbers if name not in ("outcome", "steps") and data[name].dtype != bool]
    if measure is None and not known:
        raise BadInput(needed="a sweep with a point that is done", given="none yet", cure="Wait for the first part.")
    name = measure or (usual or numbers or known)[0]
    if name not in known:
        raise BadInput(
            needed=f"a measure of this sweep: {', '.join(known)}", given=repr(name), cure="Choose one of them."
        )
    array = data[name].astype(float)
    own = [dim for dim in array.dims if dim not in (*axes, "trial")]
    return array.isel(dict.fromkeys(own, -1))


def _chosen(asked: str | None, known: Sequence[str], left: Sequence[str]) -> str:
    if asked is not None and asked not in known:
        raise BadInput(
            needed=f"an axis of this sweep with several values: {', '.join(known)}",
            given=repr(asked),
            cure="Choose one of them.",
        )
    return asked or left[0]


def _nearest(array: "xr.DataArray", name: str, value: float) -> float:
    if name not in array.coords:
        known = ", ".join(str(one) for one in array.coords)
        raise BadInput(
            needed=f"--at takes an axis of this sweep: {known}", given=repr(name), cure="Choose one of them."
        )
    values = array[name].values
    return values[np.abs(values - value).argmin()].item()


def _scale(values: np.ndarray) -> Scale:
    """Logarithmic where values are spread over more than a decade, evenly or not."""
    return "log" if values.min() > 0 and values.max() / values.min() > 10 else "linear"


def _measure_scale(values: np.ndarray) -> Scale:
    shown = values[np.isfinite(values)]
    return "log" if shown.size and shown.min() > 0 and shown.max() / shown.min() > 30 else "linear"


def _map(one: "xr.DataArray", x: str, y: str, edges: Mapping[str, str], settled: Mapping, scale: Scale) -> list[Mark]:
    values = np.where(np.isfinite(one.transpose(y, x).values), one.transpose(y, x).values, np.nan)
    marks: list[Mark] = [Heat(str(one.name), one[x].values, one[y].values, values, scale=scale)]
    for name, formula in edges.items():
        asked = names(formula)
        line = edge(formula, one, x, y, settled) if {x, y} & asked and asked <= {*settled, x, y} else None
        if line is not None:
            marks.append(Line(name, *line, role="theory"))
    return marks


def _curves(one: "xr.DataArray", x: str) -> list[Mark]:
    return [Line(str(one.name), one[x].values, one.values)]


def edge(formula: str, one: "xr.DataArray", x: str, y: str, settled: Mapping[str, Any]) -> tuple | None:
    """The points between the ends of two axes at which a formula of the parameters is 1; None if there is none.

    It is looked for along each axis at many values of the other, so that steep and flat lines are found alike.
    """
    dense = {name: _between(one[name].values, ACROSS) for name in (x, y)}
    fine = {name: _between(one[name].values, ALONG) for name in (x, y)}
    found = []
    for along, across in ((y, x), (x, y)):
        for place in dense[across]:
            with np.errstate(all="ignore"):
                level = np.asarray(evaluate(formula, {**settled, across: place, along: fine[along]})) - 1
            level = np.broadcast_to(level, fine[along].shape)
            turns = np.flatnonzero(np.sign(level[1:]) * np.sign(level[:-1]) <= 0)
            for turn in turns[:1]:
                low, high = level[turn], level[turn + 1]
                share = 0.5 if low == high else low / (low - high)
                where = fine[along][turn] + share * (fine[along][turn + 1] - fine[along][turn])
                found.append({along: where, across: place})
        if len(found) > 1:
            break
    if len(found) < 2:
        return None
    found.sort(key=lambda point: (point[x], point[y]))
    return np.array([point[x] for point in found]), np.array([point[y] for point in found])


def _between(values: np.ndarray, count: int) -> np.ndarray:
    low, high = float(values.min()), float(values.max())
    return np.geomspace(low, high, count) if _scale(values) == "log" else np.linspace(low, high, count)


def _caption(data: "xr.Dataset", array: "xr.DataArray", kept: Sequence[str], fixed: Mapping[str, float]) -> str:
    """What was reduced, what was fixed, what is missing."""
    over = [name for name in (*data.attrs["axes"], "trial") if name in data.sizes and name not in (*kept, *fixed)]
    over = [name for name in over if data.sizes[name] > 1]
    words = [f"The median over {' and '.join('draws' if name == 'trial' else name for name in over)}."] if over else []
    words += [f"At {', '.join(f'{name} = {value:g}' for name, value in fixed.items())}."] if fixed else []
    if data.attrs.get("growing"):
        words.append("Not finished: cells without a color are not computed yet.")
    elif failures := data.attrs.get("failures"):
        words.append(f"{len(failures)} points failed and have no color.")
    return " ".join(words)
