import numpy as np
import pytest
import xarray as xr

from lazyrich.claims.drawing import SERIES, Axis, Points
from lazyrich.claims.marks import RAMP, equal, family, log_axis, one_panel, power_law, tex

Y = xr.DataArray(np.arange(6.0).reshape(3, 2), dims=("depth", "n"), coords={"depth": [2, 3, 1e-5], "n": [10, 20]})


@pytest.mark.parametrize(("number", "written"), [(0.03, "0.03"), (1e-5, "10^{-5}"), (2.5e7, r"2.5 \cdot 10^{7}"), (3, "3")])
def test_numbers_are_tex(number, written):
    assert tex(number) == written


def test_a_family_has_a_mark_for_each_value_with_a_role_each():
    marks = family("$D = {}$", [10, 20], Y, "depth")
    assert [mark.name for mark in marks] == ["$D = 2$", "$D = 3$", "$D = 10^{-5}$"]
    assert [mark.role for mark in marks] == list(SERIES)
    assert [list(mark.y) for mark in marks] == [[0, 1], [2, 3], [4, 5]]
    assert all(mark.x == [10, 20] for mark in marks)
    assert {mark.role for mark in family("{}", Y.n, Y, "depth", roles=RAMP)} == set(RAMP)


def test_a_family_lays_other_axes_side_by_side_and_x_beside_them():
    trials = xr.concat([Y, Y + 10], "trial")
    x = 2.0 * Y.n * xr.DataArray([1, 2, 3], dims="depth", coords={"depth": Y.depth})
    mark = family("{}", x, trials, "depth", mark=Points)[1]
    assert sorted(zip(mark.x, mark.y, strict=True)) == [(40, 2), (40, 12), (80, 3), (80, 13)]


def test_what_is_missing_leaves_x_alone():
    mark = family("{}", Y.n, Y.where(Y > 0), "depth")[0]
    assert list(mark.x) == [10, 20] and np.isnan(mark.y[0])


def test_equal_goes_from_the_smallest_to_the_largest():
    line = equal(np.array([3.0, 5.0]), np.array([[1.0], [4.0]]))
    assert line.x == line.y == [1, 5]


def test_a_power_law_goes_through_the_last_point_of_the_first_mark_and_spans_all():
    law = power_law("$x^2$", [Points("a", [1.0, 3.0, 2.0], [1.0, 9.0, 4.0]), Points("b", [0.5, np.nan], [1.0, 1.0])], 2)
    assert list(law.x) == [0.5, 3] and law.through == (3, 9) and law.exponent == 2


def test_axes_and_single_panels():
    assert log_axis("error", low=1e-3) == Axis("error", scale="log", low=1e-3)
    drawing = one_panel([], Axis("x"), Axis("y"), "What is seen.", title="T")
    assert (len(drawing.panels), drawing.columns, drawing.caption, drawing.panels[0].title) == (1, 1, "What is seen.", "T")
