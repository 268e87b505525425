"""Maps of sweeps, from Datasets as the store gives them."""

import numpy as np
import pytest
import xarray as xr

from lazyrich.claims.drawing import Heat, Line
from lazyrich.errors import BadInput
from lazyrich.report import maps

ALPHA, WIDTH, DEPTH = np.geomspace(0.01, 1, 5), np.geomspace(1, 1e4, 7), np.array([2, 3])


@pytest.fixture
def data():
    """A measure that is its own place, with a curve over time and draws around it."""
    axes = {"alpha": ALPHA, "width": WIDTH, "depth": DEPTH}
    value = ALPHA[:, None, None] ** 2 * WIDTH[:, None] * DEPTH
    drawn = value[..., None] * np.array([0.5, 1.0, 3.0])
    arrays = {
        "outcome": (("alpha", "width", "depth", "trial"), np.zeros(drawn.shape)),
        "size": (("alpha", "width", "depth", "trial"), drawn),
        "curve": (("alpha", "width", "depth", "trial", "t"), np.stack([drawn, 7 * drawn], -1)),
    }
    attributes = {"axes": {name: values.tolist() for name, values in axes.items()}, "params": {"n": 4, "horizon": "=1/n"}}
    attributes |= {"id": "paper/item", "size": "quick", "seed": 0, "run": "r", "over": ["width", "alpha"], "failures": {}}
    return xr.Dataset(arrays, axes, attributes)


def test_the_median_over_draws_and_over_what_is_not_shown(data):
    drawing = maps.draw(data)
    (panel,) = drawing.panels
    (heat,) = panel.marks
    assert isinstance(heat, Heat) and heat.name == "size" and heat.scale == "log"
    assert (panel.x.label, panel.y.label, panel.x.scale) == ("width", "alpha", "log")  # the axes that were swept
    np.testing.assert_allclose(heat.values, np.outer(ALPHA**2, WIDTH) * 2.5)
    assert "median over trials and depth" in drawing.caption.replace("depth and trials", "trials and depth")


def test_panels_an_axis_at_a_value_and_the_end_of_a_curve(data):
    drawing = maps.draw(data, measure="curve", x="alpha", y="width", facet="depth")
    assert [panel.title for panel in drawing.panels] == ["depth = 2", "depth = 3"]
    np.testing.assert_allclose(drawing.panels[1].marks[0].values, np.outer(WIDTH, ALPHA**2) * 3 * 7)
    assert drawing.panels[0].marks[0].high == drawing.panels[1].marks[0].high == pytest.approx(1e4 * 21)
    (line,) = maps.draw(data, x="alpha", at={"width": 90, "depth": 2}).panels[0].marks
    assert isinstance(line, Line)
    np.testing.assert_allclose(line.y, ALPHA**2 * WIDTH[3] * 2)


@pytest.mark.parametrize("swap", [False, True])
def test_a_line_of_theory_lies_where_its_formula_is_one(data, swap):
    axes = {"x": "width", "y": "alpha"} if swap else {"x": "alpha", "y": "width"}
    lines = {"edge": "=alpha**2*width", "elsewhere": "=alpha*1e9", "unknown": "=beta*alpha", "text": "=alpha*horizon"}
    marks = maps.draw(data, **axes, edges=lines).panels[0].marks
    assert [mark.name for mark in marks] == ["size", "edge"]
    alpha, width = (marks[1].y, marks[1].x) if swap else (marks[1].x, marks[1].y)
    np.testing.assert_allclose(alpha**2 * width, 1, rtol=0.02)
    assert alpha.min() < 0.0101 and alpha.max() == pytest.approx(1)


def test_lines_along_one_axis_are_found_too(data):
    level = maps.draw(data, x="alpha", y="width", edges={"level": "=width/50"}).panels[0].marks[1]
    np.testing.assert_allclose(level.y, 50, rtol=0.02)
    upright = maps.draw(data, x="alpha", y="width", edges={"upright": "=alpha/0.2"}).panels[0].marks[1]
    np.testing.assert_allclose(upright.x, 0.2, rtol=0.02)


def test_what_is_missing_is_said(data):
    data["size"][0] = np.nan
    data["size"][1, 0] = np.inf
    caption = maps.draw(data.assign_attrs(failures={"0": {}})).caption
    assert "1 points failed" in caption or "1 point failed" in caption
    assert "not by the horizon" in caption
    assert "Not finished" in maps.draw(data.assign_attrs(growing=True)).caption


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"measure": "error"}, "a measure of this sweep: outcome, size, curve"),
        ({"x": "beta"}, "axes of this sweep with several values: width, alpha, depth"),
        ({"x": "alpha", "y": "alpha"}, "different axes"),
        ({"facet": "trial"}, "different axes"),
        ({"at": {"beta": 1}}, "--at takes an axis"),
        ({"at": {"alpha": 1, "width": 1, "depth": 2}}, "an axis with several values"),
    ],
)
def test_bad_choices_are_refused(data, chosen, said):
    with pytest.raises(BadInput, match=said):
        maps.draw(data, **chosen)


def test_too_many_panels_are_refused(data):
    many = data.reindex(depth=np.arange(2, 20)).assign_attrs(data.attrs)
    with pytest.raises(BadInput, match="up to 12 panels"):
        maps.draw(many, facet="depth")


def test_three_files_are_written(data, tmp_path):
    paths = maps.save(data, tmp_path, x="alpha", y="width", edges={"edge": "=alpha**2*width"})
    assert [path.name for path in paths] == ["sweep-r.png", "sweep-r.svg", "sweep-r.csv"]
    assert "edge" in paths[2].read_text() and paths[0].stat().st_size > 10_000
