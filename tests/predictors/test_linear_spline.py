import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lazyrich.errors import BadInput
from lazyrich.predictors import LinearSpline

X = np.array([-1.2, -0.7, -0.2, 0.3, 0.8, 1.3])
Y = np.array([0.3, -0.5, 0.4, -0.3, 0.5, -0.2])


@pytest.fixture
def solved(split):
    return lambda x, y: LinearSpline().solve(split(np.reshape(x, (-1, 1)), y))


def least_variation(x, y, grid):
    """The least sum of |changes of slope| among piecewise linear interpolants with knots on a grid, by a linear program."""
    hats = np.maximum(grid - x[:, None], 0) + 0.0
    rows = np.column_stack([hats, -hats, np.ones_like(x), x])
    cost = np.concatenate([np.ones(2 * grid.size), [0, 0]])
    bounds = [(0, None)] * (2 * grid.size) + [(None, None)] * 2
    return linprog(cost, A_eq=rows, b_eq=y, bounds=bounds, method="highs").fun


def test_the_dots_are_connected(solved):
    reference = solved(X, Y)
    assert reference.ok and reference.certificate.feasibility == 0
    np.testing.assert_allclose(reference.effective, np.diff(Y) / np.diff(X), rtol=1e-15)
    new = np.linspace(-1.2, 1.3, 57)
    np.testing.assert_allclose(reference.predict(new), np.interp(new, X, Y), atol=1e-14)
    assert reference.value == pytest.approx(12.6, rel=1e-14) and reference.notes == ""


def test_no_interpolant_bends_less(solved):
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.normal(size=9)), rng.normal(size=9)
    grid = np.union1d(x, np.linspace(-3, 3, 200))
    assert least_variation(x, y, grid) == pytest.approx(solved(x, y).value, rel=1e-7)


def test_the_dual_bounds_every_interpolant(solved):
    reference = solved(X, Y)
    places = np.linspace(-2, 2, 1001)
    heights = np.maximum(X[:, None] - places, 0).T @ reference.dual
    assert np.abs(heights).max() <= 1 + 1e-12
    assert reference.dual @ Y == pytest.approx(reference.value, rel=1e-13)
    np.testing.assert_allclose([reference.dual.sum(), reference.dual @ X], 0, atol=1e-13)


def test_it_goes_on_straight_outside(solved):
    reference = solved(X, Y)
    assert reference.predict(-2.2) == pytest.approx(0.3 + 1.6, rel=1e-14)
    np.testing.assert_allclose(reference.predict([[-2.2], [2.3]]), [1.9, -0.2 - 1.4], rtol=1e-14)
    with pytest.raises(BadInput, match=r"shape \(m, 1\)"):
        reference.predict(np.ones((3, 2)))


@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6), shift=st.floats(-5, 5))
@settings(max_examples=15)
def test_invariances(split, seed, log_scale, shift):
    rng = np.random.default_rng(seed)
    x, y, scale = rng.normal(size=7), rng.normal(size=7), 10.0**log_scale
    order = np.concatenate([rng.permutation(7), rng.integers(0, 7, size=2)])

    def solve(places, heights):
        return LinearSpline().solve(split(places[:, None], heights))

    reference = solve(x, y)
    moved = solve(scale * x[order], y[order])
    tilted = solve(x, 3 * y + shift + 2 * x)
    assert reference.ok and moved.ok and tilted.ok
    assert moved.value == pytest.approx(reference.value / scale, rel=1e-10)
    assert tilted.value == pytest.approx(3 * reference.value, rel=1e-10)


def test_straight_lines_and_few_samples_have_no_bends(solved):
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    for places, heights in ((x, 2 * x + 1), (x, np.zeros(50)), (x[:2], x[:2] ** 2), (x[:1], np.array([3.0]))):
        reference = solved(places, heights)
        assert reference.ok and reference.value == 0
        np.testing.assert_allclose(reference.predict(places), heights, atol=1e-14)
    assert solved([1.0], [3.0]).predict(7.0) == 3


def test_extreme_spacings_certify(solved):
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    for x in (10.0 ** rng.uniform(-8, 8, size=200), 1e6 + rng.normal(size=200), 1e-9 * rng.normal(size=200)):
        assert solved(x, y).ok and solved(x, 1e-200 * y).ok


def test_convex_data_have_other_minimizers(solved):
    x = np.arange(5.0)
    reference = solved(x, x**2)
    assert reference.ok and "other minimizers" in reference.notes and reference.value == 6


def test_two_answers_at_one_input_are_a_contradiction(solved):
    reference = solved([0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0])
    assert not reference.ok and reference.value == np.inf
    np.testing.assert_array_equal(reference.certificate.infeasibility, [0, -1, 1, 0])
    same = solved([0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 1.0, 0.0])
    assert same.ok and same.value == 2 and same.dual.shape == (4,)


def test_several_inputs_are_refused(split):
    with pytest.raises(BadInput, match="one input a sample"):
        LinearSpline().solve(split(np.ones((3, 2)), np.ones(3)))
