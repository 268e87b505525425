"""The numbers of a drawing: as arrays to be drawn, and as rows to be kept beside the figure."""

import csv
import io
from collections.abc import Iterator

import numpy as np

from ..claims.drawing import Band, Drawing, Event, Heat, Line, Mark, Points, Rule, Slope, Text
from ..errors import BadInput

HEADER = ("panel", "title", "mark", "kind", "role", "quantity", "index", "value")

_SCALARS = {Rule: ("y",), Event: ("x",), Text: ("x", "y")}
_ARRAYS = {Line: ("x", "y"), Points: ("x", "y"), Band: ("x", "low", "high"), Slope: ("x",)}
_LARGEST = 1e300  # beyond it limits and margins of an axis overflow


def quantities(mark: Mark) -> dict[str, np.ndarray]:
    """The numbers a mark was given, by name, each as a vector; those of a curve are equally long."""
    kind = type(mark)
    if kind in _SCALARS:
        return {name: np.array([getattr(mark, name)], dtype=float) for name in _SCALARS[kind]}
    if isinstance(mark, Heat):
        return _cells(mark)
    found = {name: np.asarray(getattr(mark, name), dtype=float) for name in _ARRAYS[kind]}
    if isinstance(mark, Points) and mark.error is not None:
        found["error"] = np.asarray(mark.error, dtype=float)
    if len({values.shape for values in found.values()}) > 1 or any(v.ndim != 1 for v in found.values()):
        shapes = ", ".join(f"{name} {values.shape}" for name, values in found.items())
        raise BadInput(
            needed=f"the mark {mark.name!r} needs vectors of one length", given=shapes, cure="Give one number per point."
        )
    if isinstance(mark, Slope):
        one = {"through_x": mark.through[0], "through_y": mark.through[1], "exponent": mark.exponent}
        found |= {name: np.array([value], dtype=float) for name, value in one.items()}
    return found


def grid(mark: Heat) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The centers along both axes and the values, of fitting shapes."""
    x, y, values = (np.asarray(part, dtype=float) for part in (mark.x, mark.y, mark.values))
    if x.ndim != 1 or y.ndim != 1 or values.shape != (y.size, x.size):
        raise BadInput(
            needed=f"the mark {mark.name!r} needs a row of values for each y and a column for each x",
            given=f"x {x.shape}, y {y.shape}, values {values.shape}",
            cure="Transpose the values, or give the centers of all cells.",
        )
    return x, y, values


def _cells(mark: Heat) -> dict[str, np.ndarray]:
    x, y, values = grid(mark)
    return {"x": np.tile(x, y.size), "y": np.repeat(y, x.size), "value": values.ravel()}


def drawable(values: np.ndarray, scale: str) -> np.ndarray:
    """The values, with NaN for those that have no place on an axis of this scale."""
    fits = np.isfinite(values) & (np.abs(values) < _LARGEST)
    if scale == "log":
        fits &= values > 0
    return np.where(fits, values, np.nan)


def table(drawing: Drawing) -> str:
    """All numbers of a drawing as CSV text, one per row, written so that they read back exactly."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(_rows(drawing))
    return text.getvalue()


def _rows(drawing: Drawing) -> Iterator[tuple]:
    for number, panel in enumerate(drawing.panels, start=1):
        for mark in panel.marks:
            what = (number, panel.title, mark.name, type(mark).__name__.lower(), mark.role)
            for name, values in quantities(mark).items():
                for index, value in enumerate(values):
                    yield (*what, name, index, repr(float(value)))
