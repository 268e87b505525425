"""The tangent kernel of wide ReLU nets against sampled nets, and its interpolant against a minimizer on a grid."""

import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.predictors import ReluKernelSpline

X = np.array([-1.2, -0.7, -0.2, 0.3, 0.8, 1.3])
Y = np.array([0.3, -0.5, 0.4, -0.3, 0.5, -0.2])


@pytest.fixture
def solved(split):
    return lambda predictor, x=X, y=Y: predictor.solve(split(np.reshape(x, (-1, 1)), y))


@pytest.mark.parametrize(("c_out", "c_in", "bias"), [(1.0, 0.0, False), (0.0, 1.0, False), (2.0, 3.0, True)])
def test_the_kernel_is_that_of_wide_nets(c_out, c_in, bias):
    rng, width = np.random.default_rng(0), 400_000
    w, b = rng.normal(size=(2, width))
    before = w * X[:, None] + b
    features = np.maximum(before, 0), before > 0
    along = 1 + X[:, None] * X
    sampled = c_out * features[0] @ features[0].T / width + c_in * along * (features[1] * 1.0 @ features[1].T) / width + bias
    kernel = ReluKernelSpline(c_out, c_in, bias).kernel(X, X)
    # Products of two units have a variance below 30 here: five standard errors of their mean.
    np.testing.assert_allclose(kernel, sampled, atol=5 * np.sqrt(30 * (c_out + c_in) ** 2 / width))


@pytest.mark.parametrize(("c_out", "c_in", "bias"), [(1.0, 0.0, False), (0.0, 1.0, False), (2.0, 3.0, True)])
def test_it_interpolates_with_the_least_norm(solved, c_out, c_in, bias):
    predictor = ReluKernelSpline(c_out, c_in, bias)
    reference, kernel = solved(predictor), predictor.kernel(X, X)
    assert reference.ok and reference.certificate.feasibility < 1e-11
    assert reference.value == pytest.approx(np.sqrt(Y @ np.linalg.solve(kernel, Y)), rel=1e-9)
    np.testing.assert_allclose(reference.predict(X[:, None]), Y, atol=1e-11)
    assert np.isscalar(reference.predict(0.1).item()) and reference.predict(np.zeros((4, 1))).shape == (4,)


def on_a_grid(points, linear_price):
    r"""The minimizer of $\frac\pi2\int f''^2(1+x^2)^2 + price(p^2 + q^2)$ by finite differences, straight beyond the grid."""
    grid = np.union1d(np.tan(np.linspace(-1.54, 1.54, points)), X)
    size, steps = grid.size, np.diff(grid)
    bend, inner = np.zeros((size - 2, size)), np.arange(size - 2)
    bend[inner, inner], bend[inner, inner + 2] = 1 / steps[:-1], 1 / steps[1:]
    bend[inner, inner + 1] = -1 / steps[:-1] - 1 / steps[1:]
    weights = np.pi / 2 * (1 + grid[1:-1] ** 2) ** 2 / ((steps[:-1] + steps[1:]) / 2)
    last, first = np.zeros(size), np.zeros(size)
    last[-2:], first[:2] = np.array([-1, 1]) / steps[-1], np.array([-1, 1]) / steps[0]
    ends = np.eye(size)[[-1, 0]]
    slope = (last + first) / 2
    height = (ends[0] - grid[-1] * last + ends[1] - grid[0] * first) / 2
    square = (bend.T * weights) @ bend + linear_price * (np.outer(slope, slope) + np.outer(height, height))
    held = np.eye(size)[np.searchsorted(grid, X)]
    whole = np.block([[square, held.T], [held, np.zeros((6, 6))]])
    f = np.linalg.solve(whole, np.concatenate([np.zeros(size), Y]))[:size]
    inside = (grid >= X[0]) & (grid <= X[-1])
    return grid[inside], f[inside], np.sqrt(f @ square @ f)


def test_the_second_layer_alone_is_a_weighted_cubic_spline_with_a_price_on_lines(solved):
    reference = solved(ReluKernelSpline(1.0, 0.0, False))
    errors = []
    for points in (200, 400):
        grid, f, norm = on_a_grid(points, linear_price=4.0)
        errors.append(np.abs(reference.predict(grid) - f).max())
    assert norm == pytest.approx(reference.value, rel=1e-3)
    # Second order: half the step, a quarter of the error.
    assert errors[1] < 1e-4 and 3.5 < errors[0] / errors[1] < 4.5
    # Without the price on the linear part the minimizer is another function.
    grid, f, _ = on_a_grid(400, linear_price=0.0)
    assert np.abs(reference.predict(grid) - f).max() > 5e-3


def test_repeated_samples_and_contradictions(solved):
    predictor = ReluKernelSpline(1.0, 1.0, True)
    again = solved(predictor, np.concatenate([X, X[:2]]), np.concatenate([Y, Y[:2]]))
    assert again.ok and again.value == pytest.approx(solved(predictor).value, rel=1e-9)
    clash = solved(predictor, [0.0, 0.0], [0.0, 1.0])
    assert not clash.ok and clash.certificate.infeasibility is not None
    zero = solved(predictor, X, np.zeros(6))
    assert zero.ok and zero.value == 0


def test_inputs_too_near_for_the_kernel_are_said_to_be(solved):
    reference = solved(ReluKernelSpline(1.0, 0.0, False), 1e-9 * X, Y)
    assert not reference.ok and "singular" in reference.notes


def test_bad_shares_are_refused():
    for share in (-1.0, np.nan):
        with pytest.raises(BadInput, match="c_out must be a number"):
            ReluKernelSpline(share, 1.0, True)
    with pytest.raises(BadInput, match="at least one"):
        ReluKernelSpline(0.0, 0.0, True)
