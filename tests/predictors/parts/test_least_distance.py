import cvxpy as cp
import numpy as np
import pytest

from lazyrich.predictors.parts.least_distance import least_distance


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_it_agrees_with_a_cone_solver(seed, scale):
    rng = np.random.default_rng(seed)
    g = rng.normal(size=(9, 6))
    h = g @ rng.normal(size=6) - rng.uniform(size=9)
    z, u = least_distance(g, scale * h)
    other = cp.Variable(6)
    cp.Problem(cp.Minimize(cp.sum_squares(other)), [g @ other >= h]).solve(solver="CLARABEL")
    np.testing.assert_allclose(z / scale, other.value, atol=1e-5)
    np.testing.assert_allclose(g.T @ u, z, atol=1e-12 * scale)
    assert (g @ z - scale * h).min() > -1e-12 * scale
    assert u.min() >= 0


def test_a_long_answer_is_found():
    g = np.array([[1.0, 1e-6], [-1.0, 1e-6]])
    z, _ = least_distance(g, np.ones(2))
    np.testing.assert_allclose(z, [0.0, 1e6], atol=1e-3)


def test_an_impossible_one_is_none_with_the_proof():
    g = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    z, u = least_distance(g, np.array([1.0, 1.0, 0.5]))
    assert z is None
    np.testing.assert_allclose(g.T @ (u / u.sum()), 0.0, atol=1e-12)


def test_nothing_needed_is_zero():
    z, u = least_distance(np.ones((2, 3)), np.array([0.0, -1.0]))
    assert not z.any() and not u.any()
    assert least_distance(np.zeros((1, 3)), np.ones(1))[0] is None
