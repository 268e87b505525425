import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from lazyrich.claims.drawing import Axis, Event, Line, Mark, Panel, Rule, Text
from lazyrich.report import labels, panels

X = [float(x) for x in np.linspace(0, 1, 400)]
NOISE = [float(i % 2) for i in range(400)]


def sheet(*marks: Mark, legend: bool = True) -> panels.Sheet:
    figure = Figure(figsize=(5, 4), dpi=160)
    FigureCanvasAgg(figure)
    panel = Panel(marks, Axis("x"), Axis("y", low=0.0, high=1.0), legend=legend)
    made = panels.Sheet(panel, figure.add_subplot(), demoted=(), outside=False)
    figure.draw_without_rendering()
    return made


def test_words_cover_no_curve():
    step = Line("a step", X, [0.5 if x < 0.6 else 0.9 for x in X])
    made = sheet(step, Rule("level", 0.5), Event("moment", 0.6), Text("remark", 0.2, 0.5))
    assert made.write_words() == (set(), True)
    paper = labels.paper(made.axes, made.drawn)
    boxes = [words.get_window_extent() for words in made.axes.texts]
    boxes.append(made.legend.get_window_extent())
    assert len(boxes) == 4
    for number, box in enumerate(boxes):
        assert paper.cost(box) < 1
        assert not any(box.overlaps(other) for other in boxes[:number])


def test_words_without_room_are_named():
    crowded, fits = sheet(Line("noise", X, NOISE), Rule("level", 0.5), Event("moment", 0.5)).write_words()
    assert crowded == {1, 2}
    assert not fits


def test_without_a_legend_names_are_written_anyway():
    made = sheet(Line("noise", X, NOISE), Rule("level", 0.5), Rule("far", 7.0), legend=False)
    assert made.write_words() == (set(), True)
    assert [words.get_text() for words in made.axes.texts] == ["level"]


@pytest.mark.parametrize(("size", "found"), [((30, 20), True), ((200, 20), False), ((60, 60), False)])
def test_a_legend_takes_a_free_corner_or_none(size, found):
    diagonal = np.column_stack([np.linspace(0, 100, 200)] * 2)
    none = np.empty((0, 2))
    paper = labels.Paper(Bbox.from_bounds(0, 0, 100, 100), diagonal, none, none)
    corner = labels.corner(Bbox.from_bounds(0, 0, *size), paper)
    assert (corner is not None) == found
    if corner is not None:
        assert paper.cost(Bbox.from_bounds(100 * corner[0], 100 * corner[1], *size)) < 1
