"""Where words can stand without covering a curve.

Everything drawn is turned into points on the paper, in pixels. A label tries places along its own line, a
legend places in its panel, corners first; of those that cover no curve, the one wins that covers least of the
rest. A label without such a place goes to the legend, a legend without one goes beside the panel.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox, IdentityTransform

from ..claims.drawing import Band, Event, Heat, Line, Mark, Points, Rule, Slope, Text
from .marks import places
from .palette import Ink
from .wording import safe

SMALL = 8.0  # points
HALO = [patheffects.withStroke(linewidth=2.4, foreground="white")]

_ALONG = (1, 0, 0.92, 0.08, 0.84, 0.16, 0.75, 0.25, 0.66, 0.34, 0.5)  # where on its line a label may stand
_STEP = 3.0  # pixels between two points of a curve: less than the height of a letter
_AIR = 3.0  # pixels kept free around words
_APART = 16.0  # pixels between two labels, where there is room
_NEAR_EDGE = 5.0
_OUT = 1e6  # the cost of leaving the panel
_TURNED = 0.25  # what it costs a reader to turn the head


@dataclass
class Paper:
    """What is already on the paper of one panel: curves, bands, reference lines, and boxes of words."""

    frame: Bbox
    curves: np.ndarray
    bands: np.ndarray
    lines: np.ndarray
    boxes: list[Bbox] = field(default_factory=list)

    def cost(self, box: Bbox) -> float:
        """How much a box covers; below 1 no curve and no words are touched."""
        wide = box.padded(_AIR)
        words = sum(wide.overlaps(other) for other in self.boxes)
        close = any(box.padded(_APART).overlaps(other) for other in self.boxes)
        soft = 0.02 * _inside(self.bands, wide) + 0.1 * _inside(self.lines, wide) + 0.3 * close
        return _inside(self.curves, wide) + 1000.0 * words + min(soft, 0.6)


def paper(axes: Axes, drawn: list[tuple[Mark, Axes]]) -> Paper:
    """The paper of a panel after its marks, each with the axes it was drawn on."""
    frame = _frame(axes)
    curves, bands, lines = [np.empty((0, 2))], [np.empty((0, 2))], [np.empty((0, 2))]
    for mark, own in drawn:
        if isinstance(mark, Heat):
            continue  # words on it have a halo
        sort = bands if isinstance(mark, Band) else lines if isinstance(mark, Rule | Event) else curves
        sort.extend(_outline(mark, own))
    return Paper(frame, np.concatenate(curves), np.concatenate(bands), np.concatenate(lines))


def write(mark: Rule | Event | Text, axes: Axes, *, ink: Ink, on: Paper, anyway: bool) -> bool:
    """Write a mark's name at its place; False if there is no room, unless it is to be written anyway."""
    if isinstance(mark, Text) and not on.frame.contains(*axes.transData.transform((mark.x, mark.y))):
        return True
    words = axes.text(0, 0, safe(mark.name), fontsize=SMALL, color=ink.color, path_effects=HALO, zorder=6, va="bottom")
    words.set_transform(IdentityTransform())
    words.set_in_layout(False)
    best, least = None, (np.inf if isinstance(mark, Text) else _OUT) if anyway else 1.0
    for number, (box, turned) in enumerate(_candidates(mark, axes, words.get_window_extent())):
        cost = on.cost(box) + 1e-4 * number + _TURNED * turned + (0 if _within(box, on.frame) else _OUT)
        if cost < least:
            best, least = (box, turned), cost
    if best is None:
        words.remove()
        return False
    box, turned = best
    words.set_rotation(90 if turned else 0)
    # As a share of the panel: pixels differ between the PNG and the SVG.
    words.set_transform(axes.transAxes)
    words.set_position(tuple(axes.transAxes.inverted().transform((box.x0, box.y0))))
    on.boxes.append(box)
    return True


def corner(size: Bbox, on: Paper) -> tuple[float, float] | None:
    """The lower left corner of a free place for a legend of this size, as shares of the panel, if any."""
    frame, best, least = on.frame, None, 1.0
    free_x, free_y = frame.width - size.width - 2 * _NEAR_EDGE, frame.height - size.height - 2 * _NEAR_EDGE
    if free_x < 0 or free_y < 0:
        return None
    for right in np.linspace(1, 0, 9):
        for up in np.linspace(0, 1, 9):
            x, y = frame.x0 + _NEAR_EDGE + right * free_x, frame.y0 + _NEAR_EDGE + up * free_y
            from_corner = min(right, 1 - right) + min(up, 1 - up)
            cost = on.cost(Bbox.from_bounds(x, y, size.width, size.height)) + 0.3 * from_corner
            if cost < least - 1e-9:
                best, least = ((x - frame.x0) / frame.width, (y - frame.y0) / frame.height), cost
    return best


def _candidates(mark: Rule | Event | Text, axes: Axes, size: Bbox) -> Iterator[tuple[Bbox, bool]]:
    """Places for words of this size, the preferred first, and whether the words are turned upright there."""
    frame, (wide, tall) = _frame(axes), (size.width, size.height)
    at = {name: values[0] for name, values in places(mark, axes).items()}
    x, y = axes.transData.transform((at.get("x", axes.get_xlim()[0]), at.get("y", axes.get_ylim()[0])))
    if isinstance(mark, Rule):
        first, free = frame.x0 + _NEAR_EDGE, frame.width - wide - 2 * _NEAR_EDGE
        for gap, share in product((3, 7, 11), _ALONG):
            for bottom in (y + gap, y - tall - gap):
                yield Bbox.from_bounds(first + share * free, bottom, wide, tall), False
    elif isinstance(mark, Event):
        for turned, (w, h) in enumerate(((wide, tall), (tall, wide))):
            first, free = frame.y0 + _NEAR_EDGE, frame.height - h - 2 * _NEAR_EDGE
            for share, left in product(_ALONG, (x + 7, x - w - 7)):
                yield Bbox.from_bounds(left, first + share * free, w, h), bool(turned)
    else:
        for right, up in ((1, 0), (1, 1), (1, -1), (0, 1), (0, -1), (-1, 0), (-1, 1), (-1, -1)):
            left, bottom = x + right * (wide / 2 + 8) - wide / 2, y + up * (tall / 2 + 6) - tall / 2
            yield Bbox.from_bounds(left, bottom, wide, tall), False


def _frame(axes: Axes) -> Bbox:
    """The panel on the paper as it is now, in pixels."""
    return Bbox.from_bounds(*axes.get_window_extent().bounds)


def _outline(mark: Mark, axes: Axes) -> Iterator[np.ndarray]:
    """Points on the paper, in pixels, that a mark covers."""
    at, frame = places(mark, axes), _frame(axes)
    if isinstance(mark, Rule | Event):
        yield _reference(mark, axes, frame)
    elif isinstance(mark, Line | Slope):
        yield _dense(axes.transData.transform(np.column_stack([at["x"], at["y"]])), frame)
    elif isinstance(mark, Points):
        yield from _dots(mark, axes, frame)
    elif isinstance(mark, Band):  # remarks are boxes, added as they are written
        low = axes.transData.transform(np.column_stack([at["x"], at["low"]]))
        high = axes.transData.transform(np.column_stack([at["x"], at["high"]]))
        low[:, 1] = np.clip(low[:, 1], frame.y0, frame.y1)
        for share in np.linspace(0, 1, 7):
            yield _dense(low + share * (high - low), frame)


def _reference(mark: Rule | Event, axes: Axes, frame: Bbox) -> np.ndarray:
    along = np.linspace(0, 1, 200)
    x_low, y_low = axes.get_xlim()[0], axes.get_ylim()[0]
    if isinstance(mark, Rule):
        level = axes.transData.transform((x_low, places(mark, axes)["y"][0]))[1]
        points = np.column_stack([frame.x0 + along * frame.width, np.full(200, level)])
    else:
        moment = axes.transData.transform((places(mark, axes)["x"][0], y_low))[0]
        points = np.column_stack([np.full(200, moment), frame.y0 + along * frame.height])
    return points[np.isfinite(points).all(1)]


def _dots(mark: Points, axes: Axes, frame: Bbox) -> Iterator[np.ndarray]:
    at = places(mark, axes)
    shifts = 4.0 * np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)])
    centers = axes.transData.transform(np.column_stack([at["x"], at["y"]]))
    centers = centers[np.isfinite(centers).all(1)]
    yield (centers[:, None] + shifts).reshape(-1, 2)
    if mark.error is not None:
        error = np.nan_to_num(np.asarray(mark.error, dtype=float), nan=0.0, posinf=0.0, neginf=0.0)
        for sign in (-1, 1):
            end = np.maximum(at["y"] + sign * error, np.nanmin(axes.get_ylim()))
            for x, y, stop in zip(at["x"], at["y"], end, strict=True):
                yield _dense(axes.transData.transform([(x, y), (x, stop)]), frame)


def _dense(points: np.ndarray, frame: Bbox) -> np.ndarray:
    """A polyline refined to steps of a few pixels, its gaps kept, cut to the frame."""
    # Far outside, steps would be counted in millions; the cut keeps directions near the frame.
    reach = 20 * max(frame.width, frame.height)
    points = np.clip(points, -reach, reach)
    if len(points) > 1:
        gaps = np.nan_to_num(np.linalg.norm(np.diff(points, axis=0), axis=1))
        counts = np.maximum(1, np.ceil(gaps / _STEP)).astype(int)
        index = np.repeat(np.arange(len(counts)), counts)
        share = (np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[index]
        between = points[index] + share[:, None] * (points[index + 1] - points[index])
        points = np.concatenate([between, points])  # the points themselves too: one between two gaps
    points = points[np.isfinite(points).all(1)]
    return points[_within_each(points, frame)]


def _within_each(points: np.ndarray, box: Bbox) -> np.ndarray:
    x, y = points[:, 0], points[:, 1]
    return (x >= box.x0) & (x <= box.x1) & (y >= box.y0) & (y <= box.y1)


def _inside(points: np.ndarray, box: Bbox) -> int:
    return int(_within_each(points, box).sum())


def _within(box: Bbox, frame: Bbox) -> bool:
    across = frame.x0 <= box.x0 and box.x1 <= frame.x1
    return bool(across and frame.y0 - 1 <= box.y0 and box.y1 <= frame.y1 + 1)
