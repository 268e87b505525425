import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize

from lazyrich.numerics.entropy_links import link_of
from lazyrich.predictors import MinHyperbolicEntropy, MinL1, MinL2
from lazyrich.predictors.parts.separable_entropy import SeparableEntropy

ALPHAS = [1e6, 1e3, 1.0, 0.1, 1e-3, 1e-8, 1e-30, 1e-120]


def q(z):
    """The entropy as its integral is: textbook form, fit for moderate z."""
    return 2 - np.sqrt(4 + z * z) + z * np.arcsinh(z / 2)


def test_the_value_is_the_printed_one(split):
    solution = MinHyperbolicEntropy(1.0).solve(split([[1.0]], [3.0]))
    assert solution.ok and solution.value == pytest.approx(1.97873838, abs=1e-8)
    solution = MinHyperbolicEntropy(0.5, shape=[2.0]).solve(split([[2.0]], [6.0]))
    assert solution.value == pytest.approx(1.97873838, abs=1e-8)
    solution = MinHyperbolicEntropy(0.5).solve(split([[1.0]], [3.0]))
    assert solution.value == pytest.approx(0.25 * q(12.0), rel=1e-13)


@pytest.mark.parametrize("alpha", [3.0, 0.3, 0.03])
def test_one_sample_by_a_root(split, alpha):
    x, y = np.array([1.0, -2.0, 0.5]), 3.0
    nu = brentq(lambda nu: x @ (2 * alpha**2 * np.sinh(x * nu)) - y, 0, 50, xtol=1e-15)
    solution = MinHyperbolicEntropy(alpha).solve(split([x], [y]))
    np.testing.assert_allclose(solution.effective, 2 * alpha**2 * np.sinh(x * nu), rtol=1e-11)
    assert solution.dual[0] == pytest.approx(nu, rel=1e-11)


@pytest.mark.parametrize("alpha", [2.0, 0.3, 0.1])
def test_it_agrees_with_a_cone_solver(planted, alpha):
    data, x, y = planted(0, noise=0.3)
    shape = np.exp(np.random.default_rng(0).normal(size=20) / 3)
    solution = MinHyperbolicEntropy(alpha, shape=shape).solve(data)
    # c q(b/c) is the least of KL(u, c) + KL(v, c) with b = u - v: the entropy of the two halves.
    u, v, c = cp.Variable(20), cp.Variable(20), alpha**2 * shape**2
    entropy = cp.sum(cp.kl_div(u, c) + cp.kl_div(v, c))
    cp.Problem(cp.Minimize(entropy), [x @ (u - v) == y]).solve(solver="CLARABEL")
    assert solution.value == pytest.approx(entropy.value, rel=1e-5)
    np.testing.assert_allclose(solution.effective, u.value - v.value, atol=1e-3)


def test_it_agrees_with_a_search_in_the_null_space(planted):
    data, x, y = planted(1, n=5, d=8)
    start, free = np.linalg.pinv(x) @ y, np.linalg.svd(x)[2][5:].T
    found = minimize(lambda z: 0.04 * q((start + free @ z) / 0.04).sum(), np.zeros(3), tol=1e-12)
    solution = MinHyperbolicEntropy(0.2).solve(data)
    assert solution.value == pytest.approx(found.fun, rel=1e-9)
    np.testing.assert_allclose(solution.effective, start + free @ found.x, atol=1e-4)


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("shaped", [False, True])
def test_every_scale_certifies(planted, noise, shaped):
    data, x, _ = planted(0, n=30, d=100, sparsity=5, noise=noise)
    shape = 10.0 ** np.random.default_rng(0).uniform(-1, 1, size=100) if shaped else None
    path = MinHyperbolicEntropy(1.0, shape=shape).path(data, ALPHAS)
    for alpha, solution in zip(ALPHAS, path, strict=True):
        assert solution.ok and solution.certificate.feasibility < 1e-12 and solution.certificate.gap < 1e-11
        if alpha >= 1e-3:
            effective = 2 * (alpha * (1 if shape is None else shape)) ** 2 * np.sinh(solution.dual @ x)
            np.testing.assert_allclose(solution.effective, effective, rtol=1e-8, atol=1e-10)


def test_the_path_is_the_single_answers_in_the_order_given(planted):
    data, _, _ = planted(2, noise=0.3)
    alphas = [1e-30, 1e6, 0.1, 0.1]
    for alpha, solution in zip(alphas, MinHyperbolicEntropy(7.0).path(data, alphas), strict=True):
        alone = MinHyperbolicEntropy(alpha).solve(data)
        np.testing.assert_allclose(solution.effective, alone.effective, atol=1e-12)
        assert solution.value == pytest.approx(alone.value, rel=1e-12)
    assert MinHyperbolicEntropy(1.0).path(data, []) == []


def test_large_scales_give_the_least_weighted_l2_norm(planted):
    data, _, _ = planted(0, noise=0.3)
    shape = np.exp(np.random.default_rng(0).normal(size=20))
    for alpha in (1e3, 1e6):
        solution = MinHyperbolicEntropy(alpha, shape=shape).solve(data)
        lazy = MinL2(weights=shape**-2.0).solve(data)
        np.testing.assert_allclose(solution.effective, lazy.effective, atol=1e-10)
        assert 4 * alpha**2 * solution.value == pytest.approx(lazy.value**2, rel=1e-9)


def test_small_scales_give_the_least_l1_norm_for_every_shape(planted):
    data, _, _ = planted(0, n=15, d=30, sparsity=3)
    rich = MinL1().solve(data)
    for shape in (None, np.exp(np.random.default_rng(0).normal(size=30))):
        solution = MinHyperbolicEntropy(1e-30, shape=shape).solve(data)
        np.testing.assert_allclose(solution.effective, rich.effective, atol=1e-10)
        assert solution.value / np.log(1e60) == pytest.approx(rich.value, rel=0.05)


def test_the_norm_excess_obeys_the_direct_inequality(planted):
    data, _, _ = planted(3, n=10, d=40, noise=0.5)
    least = MinL1().solve(data).value
    alphas = [0.1, 1e-2, 1e-4, 1e-10]
    for alpha, solution in zip(alphas, MinHyperbolicEntropy(1.0).path(data, alphas), strict=True):
        excess = np.abs(solution.effective).sum() - least
        assert 0 <= excess <= (least * np.log(least + alpha**2) + 40) / np.log(alpha**-2)


@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6), repeats=st.integers(0, 3), log_alpha=st.floats(-20, 3))
def test_invariances(split, seed, log_scale, repeats, log_alpha):
    rng = np.random.default_rng(seed)
    x, y, scale, alpha = rng.normal(size=(5, 9)), rng.normal(size=5), 10.0**log_scale, 10.0**log_alpha
    solution = MinHyperbolicEntropy(alpha).solve(split(x, y))
    rows, columns = rng.permutation(5), rng.permutation(9)
    again = np.concatenate([rows, rng.integers(0, 5, size=repeats)])
    moved = MinHyperbolicEntropy(alpha * np.sqrt(scale)).solve(split(x[again][:, columns], scale * y[again]))
    assert solution.ok and moved.ok
    np.testing.assert_allclose(moved.effective, scale * solution.effective[columns], atol=1e-9 * scale)
    assert moved.value == pytest.approx(scale * solution.value, rel=1e-9)


@pytest.mark.parametrize("kind", ["square", "tall", "low rank", "signs", "columns"])
def test_awkward_data_certify(split, kind):
    rng = np.random.default_rng(0)
    x = {
        "square": lambda: rng.normal(size=(6, 6)),
        "tall": lambda: rng.normal(size=(9, 6)),
        "low rank": lambda: rng.normal(size=(6, 2)) @ rng.normal(size=(2, 9)),
        "signs": lambda: rng.choice([-1.0, 1.0], size=(6, 9)),
        "columns": lambda: rng.normal(size=(6, 9)) * 10.0 ** rng.uniform(-3, 3, size=9),
    }[kind]()
    data = split(x, x @ rng.normal(size=x.shape[1]))
    assert all(solution.ok for solution in MinHyperbolicEntropy(1.0).path(data, ALPHAS))


def test_clashing_equations_are_proven(split):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(9, 4)), rng.normal(size=9)
    for solution in MinHyperbolicEntropy(0.1, shape=[1.0, 2.0, 3.0, 4.0]).path(split(x, y), [1.0, 0.1]):
        proof = solution.certificate.infeasibility
        assert not solution.ok and solution.value == np.inf
        assert np.abs(proof @ x).max() < 1e-13 and abs(proof @ y) > 1e-2


def test_zero_answers_give_zero(split):
    solution = MinHyperbolicEntropy(0.1).solve(split(np.eye(2, 3), np.zeros(2)))
    assert solution.ok and solution.value == 0 and not solution.effective.any()


@pytest.mark.parametrize("alpha", [10.0, 0.1, 1e-4])
def test_stationarity_is_the_distance_to_the_minimizer(planted, alpha):
    data, x, _ = planted(0, noise=0.3)
    predictor = MinHyperbolicEntropy(alpha)
    solution = predictor.solve(data)
    assert predictor.stationarity(data, solution.effective) < 1e-11
    # A small step inside the equations, weighted as the entropy weighs coordinates.
    free = np.linalg.svd(x)[2][8:]
    slope = np.hypot(solution.effective, 2 * alpha**2)
    change = 1e-6 * slope * (free.T @ (free @ np.random.default_rng(0).normal(size=20)))
    change -= slope * (x.T @ np.linalg.solve((x * slope) @ x.T, x @ change))
    moved = solution.effective + change
    distance = np.linalg.norm(change) / np.linalg.norm(solution.effective)
    assert predictor.stationarity(data, moved) == pytest.approx(distance, rel=1e-3)
    if alpha < 1:
        assert MinHyperbolicEntropy(3 * alpha).stationarity(data, solution.effective) > 1e-3
    assert predictor.stationarity(data, np.zeros(20)) == 0


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_a_wrong_dual_or_answer_is_never_ok(planted, depth):
    data, x, y = planted(0)
    solution = MinHyperbolicEntropy(0.3, depth=depth).solve(data)
    level = depth * np.log(0.3)
    entropy = SeparableEntropy(link_of(depth), np.ones(20), np.zeros(20))
    assert entropy.at(level).reference(x, y, solution.effective, [solution.dual]).ok
    assert not entropy.at(level).reference(x, y, solution.effective, [0.99 * solution.dual]).ok
    assert not entropy.at(level).reference(x, y, 1.001 * solution.effective, [solution.dual]).ok
    assert not entropy.at(level + 0.1).reference(x, y, solution.effective, [solution.dual]).ok
