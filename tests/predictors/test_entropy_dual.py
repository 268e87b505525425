import numpy as np
import pytest

from lazyrich.predictors.entropy_dual import EntropyDual, sinh_point


def dual(n=4, d=9, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.linalg.qr(rng.normal(size=(d, n)))[0].T
    target = rng.normal(size=n)
    return EntropyDual(rows, target / np.linalg.norm(target), np.zeros(d))


def test_the_gradient_and_the_curvature_are_those_of_the_value():
    problem, level, step = dual(), -1.0, 1e-5
    nu = np.random.default_rng(1).normal(size=4)
    point = problem.at(nu, level)
    for i in range(4):
        change = step * np.eye(4)[i]
        above, below = problem.at(nu + change, level), problem.at(nu - change, level)
        assert (above.value - below.value) / (2 * step) == pytest.approx(point.missed[i], rel=1e-6)
        slope = (above.missed - below.missed) / (2 * step)
        np.testing.assert_allclose(slope, -(problem.rows * point.slope) @ problem.rows[i], rtol=1e-6, atol=1e-8)


def test_the_conjugate_does_not_cancel():
    p, log_c = np.array([1e-9, 0.5, 30.0]), np.array([2.0, -1.0, -29.0])
    beta, slope, conjugate = (np.asarray(part) for part in sinh_point(p, log_c))
    exact = 4 * np.exp(log_c) * np.sinh(p / 2) ** 2
    np.testing.assert_allclose(conjugate, exact.sum(), rtol=1e-13)
    np.testing.assert_allclose(beta, 2 * np.exp(log_c) * np.sinh(p), rtol=1e-13)
    np.testing.assert_allclose(slope, 2 * np.exp(log_c) * np.cosh(p), rtol=1e-13)


def test_the_sweep_meets_the_equations_at_every_level():
    problem = dual()
    for point in problem.sweep([50.0, 2.0, -3.0, -3.0, -40.0, -300.0]):
        assert np.linalg.norm(point.missed) < 1e-12


def test_a_singular_curvature_is_damped():
    problem = dual()
    step = problem.ascent(np.where(np.arange(9) < 2, 1.0, 0.0), problem.target)
    assert np.isfinite(step).all()
