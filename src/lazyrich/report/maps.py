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
    plan = data.attrs
    done = f", {plan['done']} points so far" if plan.get("growing") else ""
    footer = f"{plan['id']}, size {plan['size']}, seed {plan['seed']}{done}"
    drawing = draw(data, **chosen)
    return figures.save(drawing, folder, f"sweep-{plan['run']}", title=_title(drawing), footer=footer)


def _title(drawing: Drawing) -> str:
    """What is shown over what."""
    panel = drawing.panels[0]
    over = f"{panel.x.label} and {panel.y.label}" if isinstance(panel.marks[0], Heat) else panel.x.label
    return f"{panel.marks[0].name} over {over}"


def draw(
    data: "xr.Dataset",
    *,
    measure: str | None = None,
    x: str | None = None,
    y: str | None = None,
    facet: str | None = None,
    at: Mapping[str, int | float] | None = None,
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
    x, y = _laid_out(array, axes, x, y, facet)
    kept = [one for one in (facet, x, y) if one is not None]
    array = array.median([name for name in array.dims if name not in kept], skipna=True)
    shown = [array] if facet is None else [array.sel({facet: value}) for value in array[facet].values]
    if len(shown) > MOST:
        raise BadInput(
            needed=f"a figure has up to {MOST} panels", given=f"{len(shown)} values of {facet}", cure="Fix it with --at."
        )
    lines = {**(data.attrs.get("edges") or {}), **(edges or {})}
    scale, ends = _measure_scale(array.values), _ends(array.values)
    panels = []
    for one in shown:
        place = {facet: float(one[facet])} if facet else {}
        marks: list[Mark] = [Line(str(array.name), one[x].values, one.values)]
        if y is not None:
            marks = [_map(one, x, y, scale=scale, ends=ends), *_edges(one, x, y, lines, _settled(data) | fixed | place)]
        vertical = Axis(y, scale=_scale(array[y].values)) if y is not None else Axis(str(array.name), scale=scale)
        title = "".join(f"{name} = {value:.3g}" for name, value in place.items())
        panels.append(Panel(marks, x=Axis(x, scale=_scale(array[x].values)), y=vertical, title=title))
    return Drawing(panels, columns=1 if len(panels) == 1 else 2, caption=_caption(data, array, kept, fixed))


def _laid_out(
    array: "xr.DataArray", axes: Sequence[str], x: str | None, y: str | None, facet: str | None
) -> tuple[str, str | None]:
    """The horizontal axis and, if there is another one left, the vertical."""
    free = [name for name in axes if name in array.dims and array.sizes[name] > 1]
    for asked in (x, y, facet):
        if asked is not None and (asked not in free or [x, y, facet].count(asked) > 1):
            raise BadInput(
                needed=f"different axes of this sweep with several values: {', '.join(free) or 'there are none'}",
                given=repr(asked),
                cure="Choose among them, and take others at one value with --at.",
            )
    left = [name for name in free if name not in (x, y, facet)]
    if x is None and not left:
        raise BadInput(needed="an axis with several values", given="none left", cure="Take fewer of them with --at.")
    x = x or left.pop(0)
    return x, y or (left[0] if left else None)


def _settled(data: "xr.Dataset") -> dict[str, Any]:
    """The parameters that are one number."""
    single = {name: value[0] if np.ndim(value) and len(value) == 1 else value for name, value in data.attrs["params"].items()}
    return {name: value for name, value in single.items() if isinstance(value, int | float)}


def _measured(data: "xr.Dataset", measure: str | None, axes: Sequence[str]) -> "xr.DataArray":
    """The measure, at the end of its own axes; by default the first that is one number a trial."""
    listed = [name for name in data.attrs.get("returns") or () if name in data]
    known = list(dict.fromkeys((*listed, *map(str, data.data_vars))))
    numbers = [name for name in known if set(data[name].dims) <= {*axes, "trial"}]
    usual = [name for name in numbers if name not in ("outcome", "steps") and data[name].dtype != bool]
    if measure is None and not known:
        raise BadInput(needed="a sweep with a point that is done", given="none yet", cure="Wait for the first part.")
    name = measure or (usual or numbers or known)[0]
    if name not in known:
        raise BadInput(needed=f"a measure of this sweep: {', '.join(known)}", given=repr(name), cure="Choose one of them.")
    array = data[name].astype(float)
    own = [dim for dim in array.dims if dim not in (*axes, "trial")]
    return array.isel(dict.fromkeys(own, -1))


def _nearest(array: "xr.DataArray", name: str, value: int | float) -> int | float:
    if name not in array.coords:
        known = ", ".join(str(one) for one in array.coords)
        raise BadInput(needed=f"--at takes an axis of this sweep: {known}", given=repr(name), cure="Choose one of them.")
    values = array[name].values
    return values[np.abs(values - value).argmin()].item()


def _scale(values: np.ndarray) -> Scale:
    """Logarithmic where values are spread over about a decade or more, evenly or not."""
    return "log" if values.min() > 0 and values.max() / values.min() > 9 else "linear"


def _ends(values: np.ndarray) -> tuple[float, float] | None:
    """The ends of one color scale for all panels."""
    shown = values[np.isfinite(values)]
    return (float(shown.min()), float(shown.max())) if shown.size and shown.min() < shown.max() else None


def _measure_scale(values: np.ndarray) -> Scale:
    shown = values[np.isfinite(values)]
    return "log" if shown.size and shown.min() > 0 and shown.max() / shown.min() > 30 else "linear"


def _map(one: "xr.DataArray", x: str, y: str, *, scale: Scale, ends: tuple[float, float] | None) -> Heat:
    values = one.transpose(y, x).values
    low, high = (None, None) if ends is None else ends
    shown = np.where(np.isfinite(values), values, np.nan)
    return Heat(str(one.name), one[x].values, one[y].values, shown, scale=scale, low=low, high=high)


def _edges(one: "xr.DataArray", x: str, y: str, edges: Mapping[str, str], settled: Mapping[str, Any]) -> list[Mark]:
    """The lines that can be drawn over these axes, with all other parameters settled."""
    marks: list[Mark] = []
    for name, formula in edges.items():
        asked = names(formula)
        line = edge(formula, one, x, y, settled) if {x, y} & asked and asked <= {*settled, x, y} else None
        if line is not None:
            marks.append(Line(name, *line, role="theory"))
    return marks


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


def _caption(data: "xr.Dataset", array: "xr.DataArray", kept: Sequence[str], fixed: Mapping[str, int | float]) -> str:
    """What was reduced, what was fixed, what is missing."""
    over = [name for name in (*data.attrs["axes"], "trial") if name in data.sizes and name not in (*kept, *fixed)]
    over = [name for name in over if data.sizes[name] > 1]
    words = [f"The median over {' and '.join('trials' if name == 'trial' else name for name in over)}."] if over else []
    words += [f"At {', '.join(f'{name} = {value:g}' for name, value in fixed.items())}."] if fixed else []
    words += ["Cells without a color: not by the horizon."] if np.isinf(array.values).any() else []
    if data.attrs.get("growing"):
        words.append("Not finished: cells without a color are not computed yet.")
    elif failures := data.attrs.get("failures"):
        words.append(f"{len(failures)} points failed and have no color.")
    return " ".join(words)
