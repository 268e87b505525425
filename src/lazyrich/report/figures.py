"""Any drawing as a figure on paper: PNG and SVG, with the numbers it shows beside it as CSV.

A figure has a title line with the verdict's badge, panels in a grid, a caption and a small footer. It is
built from a plan (which legends stand beside their panels, which labels stand in the legend); a panel that
finds no room for its words amends the plan, and the figure is built again, until nothing is left to amend.
"""

import contextlib
import io
import os
import secrets
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from ..claims.drawing import Drawing
from . import frame, numbers, panels

DPI = 160
SIZES = {1: (6.6, 3.9), 2: (4.7, 3.4)}  # inches of one panel, by the number of columns
SMALLEST = (3.9, 3.0)

STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib: the same picture on every machine
    "mathtext.fontset": "dejavusans",
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
    "svg.hashsalt": "lazyrich",
    "svg.fonttype": "path",
    "axes.unicode_minus": True,
    "path.simplify": True,
}
_one_at_a_time = threading.Lock()  # matplotlib's settings are global to the process


@dataclass(frozen=True)
class Plan:
    """What was found to need another place, and the inches that legends beside the panels add."""

    outside: frozenset[int] = frozenset()
    demoted: frozenset[tuple[int, int]] = frozenset()
    extra: float = 0.0


def save(
    drawing: Drawing, folder: str | os.PathLike, name: str, *, title: str = "", verdict: str | None = None, footer: str = ""
) -> list[Path]:
    """NAME.png, NAME.svg and NAME.csv of a drawing, in a folder that is made if need be.

    The same drawing gives the same bytes. Each file is written under a temporary name and renamed when whole.
    """
    place = Path(folder) / name
    place.parent.mkdir(parents=True, exist_ok=True)
    mark = f".{secrets.token_hex(4)}.part"
    paths = [place.parent / f"{place.name}.{kind}" for kind in ("png", "svg", "csv")]
    parts = [path.with_name("." + path.name + mark) for path in paths]
    try:
        parts[2].write_text(numbers.table(drawing), encoding="utf-8", newline="")
        with _drawn(drawing, frame.Words(title, verdict, drawing.caption, footer)) as figure:
            figure.savefig(parts[0], format="png", metadata={"Software": None})
            figure.savefig(parts[1], format="svg", metadata={"Date": None, "Creator": "lazyrich"})
        for part, path in zip(parts, paths, strict=True):
            os.replace(part, path)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)
    return paths


def small(drawing: Drawing, width: int, most: int) -> bytes:
    """The panels alone, as a PNG of this width in pixels and of at most so many bytes, as few colors as that takes."""
    from PIL import Image

    plain = io.BytesIO()
    with _drawn(replace(drawing, columns=min(drawing.columns, 2)), frame.Words()) as figure:
        figure.savefig(plain, format="png", dpi=width / figure.get_figwidth())
    for colors in (256, 128, 64, 32, 16, 8, 4, 2):
        packed = io.BytesIO()
        with Image.open(plain) as image:
            image.convert("RGB").quantize(colors, dither=Image.Dither.NONE).save(packed, format="png", optimize=True)
        if packed.tell() <= most:
            break
    return packed.getvalue()


def vector(drawing: Drawing) -> bytes:
    """The panels alone, as an SVG."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    drawn = io.BytesIO()
    with _drawn(drawing, frame.Words()) as figure:
        # What savefig adds is a second drawing, to measure what is measured already.
        FigureCanvasSVG(figure).print_svg(drawn, metadata={"Date": None, "Creator": "lazyrich"})
    return drawn.getvalue()


@contextlib.contextmanager
def _drawn(drawing: Drawing, words: frame.Words) -> Iterator[Figure]:
    """The figure, with our settings as long as it is used."""
    with _one_at_a_time, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        yield _figure(drawing, words)


def _figure(drawing: Drawing, words: frame.Words) -> Figure:
    plan = Plan()
    while True:
        figure, amended = _build(drawing, words, plan)
        if amended == plan:
            figure.set_layout_engine("none")
            return figure
        plan = amended


def _build(drawing: Drawing, words: frame.Words, plan: Plan) -> tuple[Figure, Plan]:
    """The figure that follows the plan, and the plan with what this figure showed to be wanting."""
    columns = max(1, min(drawing.columns, len(drawing.panels)))
    rows = max(1, -(-len(drawing.panels) // columns))
    width, height = SIZES.get(columns, SMALLEST)
    figure = Figure(figsize=(columns * width + plan.extra, 1))
    FigureCanvasAgg(figure)
    top, bottom = frame.write(figure, words, rows * height)
    room = (0, bottom, 1, top - bottom)
    layout = ConstrainedLayoutEngine(rect=room, w_pad=0.12, h_pad=0.08, wspace=0.02, hspace=0.04)
    figure.set_layout_engine(layout)
    grid = figure.add_gridspec(rows, columns)
    drawn = []
    for number, panel in enumerate(drawing.panels):
        demoted = {mark for place, mark in plan.demoted if place == number}
        axes = figure.add_subplot(grid[divmod(number, columns)])
        drawn.append(panels.Sheet(panel, axes, demoted=demoted, outside=number in plan.outside))
    if drawn:
        layout.execute(figure)
    if len(drawn) > 1:
        figure.align_labels()  # after the layout, which keeps room for the widest of each row and column
    return figure, _amend(plan, drawn, columns)


def _amend(plan: Plan, drawn: Sequence[panels.Sheet], columns: int) -> Plan:
    demoted, outside = set(plan.demoted), set(plan.outside)
    for number, sheet in enumerate(drawn):
        crowded, fits = sheet.write_words()
        demoted |= {(number, mark) for mark in crowded}
        outside |= set() if fits else {number}
    if outside != plan.outside or demoted != plan.demoted:
        return replace(plan, outside=frozenset(outside), demoted=frozenset(demoted))
    widths = [0.0] * columns
    for number, sheet in enumerate(drawn):
        widths[number % columns] = max(widths[number % columns], sheet.beside())
    return replace(plan, extra=round(max(plan.extra, sum(widths)), 2))
