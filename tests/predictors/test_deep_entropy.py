"""MinHyperbolicEntropy at depths 3 and up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from lazyrich.numerics.entropy_links import link_of
from lazyrich.predictors import MinHyperbolicEntropy, MinL1, MinL2

ALPHAS = [1e6, 10.0, 1.0, 0.3, 0.1, 1e-2, 1e-3, 1e-8, 1e-30, np.exp(-500.0)]
deep = pytest.mark.parametrize("depth", [3, 4, 5, 10])
ends = pytest.mark.parametrize("depth", [3, 10])


def log_uniform(dim, seed=0):
    return np.exp(np.random.default_rng(seed).uniform(np.log(0.3), np.log(3), size=dim))


@deep
def test_a_flow_from_a_shape_ends_there(split, depth):
    rng = np.random.default_rng(0)
    x, y, alpha = rng.normal(size=(3, 6)), rng.normal(size=3), 0.6
    shape = np.exp(rng.uniform(-0.4, 0.4, size=6)) * rng.choice([-1.0, 1.0], size=6)

    def fall(_, w):
        pull = 2 * depth * x.T @ (x @ (w[:6] ** depth - w[6:] ** depth) - y)
        return np.concatenate([-pull, pull]) * w ** (depth - 1)

    start = alpha * np.tile(np.abs(shape), 2)
    end = solve_ivp(fall, (0, 1e4), start, method="LSODA", rtol=1e-11, atol=1e-13).y[:, -1]
    effective = end[:6] ** depth - end[6:] ** depth
    predictor = MinHyperbolicEntropy(alpha, depth=depth, shape=shape)
    reference = predictor.solve(split(x, y))
    assert reference.ok
    np.testing.assert_allclose(reference.effective, effective, atol=1e-8)
    assert predictor.stationarity(split(x, y), effective) < 1e-8


@ends
def test_it_agrees_with_a_search_in_the_null_space(planted, depth):
    data, x, y = planted(1, n=5, d=8)
    shape, alpha = log_uniform(8), 0.7
    start, free = np.linalg.pinv(x) @ y, np.linalg.svd(x)[2][5:].T

    def value(z):
        scale = np.log((alpha * shape) ** depth)
        return (shape ** (2.0 - depth) * link_of(depth).entropies(start + free @ z, scale)).sum()

    found = minimize(value, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14, "maxiter": 5000})
    reference = MinHyperbolicEntropy(alpha, depth=depth, shape=shape).solve(data)
    assert reference.value == pytest.approx(found.fun, rel=1e-9)
    np.testing.assert_allclose(reference.effective, start + free @ found.x, atol=1e-4)


@ends
@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("shaped", [False, True])
def test_every_scale_certifies_and_the_ends_are_the_limits(planted, depth, noise, shaped):
    data, x, _ = planted(0, n=15, d=40, sparsity=4, noise=noise)
    shape = log_uniform(40) if shaped else np.ones(40)
    path = MinHyperbolicEntropy(1.0, depth=depth, shape=shape).path(data, ALPHAS)
    assert max(reference.certificate.feasibility for reference in path) < 1e-12
    assert max(reference.certificate.gap for reference in path) < 1e-11
    rich, lazy = (MinL1(weights=shape ** (2.0 - depth)).solve(data), MinL2(weights=shape ** (2.0 - 2 * depth)).solve(data))
    np.testing.assert_allclose(path[0].effective, lazy.effective, atol=1e-9)
    for reference in path[-3:]:
        np.testing.assert_allclose(reference.effective, rich.effective, atol=1e-9)
        assert reference.value == pytest.approx(rich.value, rel=1e-6)
    alpha, reference = ALPHAS[3], path[3]
    price = shape ** (depth - 2.0) * (reference.dual @ x)
    power = depth / (depth - 2)
    answer = (alpha * shape) ** depth * ((1 - price) ** -power - (1 + price) ** -power)
    # A price near one has lost digits of 1 - p, and the shape multiplies the rounding of the dual by up to 3^(D-2).
    sure = np.abs(price) < 0.99
    np.testing.assert_allclose(reference.effective[sure], answer[sure], rtol=1e-6, atol=1e-10)


@ends
@pytest.mark.parametrize("alpha", [3.0, 1.0, 0.5])  # below, coordinates off the support leave the linear range
def test_stationarity_is_the_distance_to_the_minimizer(planted, depth, alpha):
    data, x, _ = planted(0, noise=0.3)
    predictor = MinHyperbolicEntropy(alpha, depth=depth)
    reference = predictor.solve(data)
    assert predictor.stationarity(data, reference.effective) < 1e-9
    link = link_of(depth)
    sigma = link.sigma(reference.effective, np.full(20, depth * np.log(alpha)))
    slope = np.exp(link.log_slope(np.abs(sigma)))
    slope /= slope.max()
    free = np.linalg.svd(x)[2][8:]
    change = 1e-4 * slope * (free.T @ (free @ np.random.default_rng(0).normal(size=20)))
    change -= slope * (x.T @ np.linalg.solve((x * slope) @ x.T, x @ change))
    change *= 1e-7 * np.linalg.norm(reference.effective) / np.linalg.norm(change)
    assert predictor.stationarity(data, reference.effective + change) == pytest.approx(1e-7, rel=0.05)
    assert predictor.stationarity(data, np.zeros(20)) == 0


def test_stationarity_reads_deep_in_the_rich_regime(planted):
    data, _, _ = planted(0, noise=0.3)
    predictor = MinHyperbolicEntropy(1e-8, depth=5)  # 1 - |p| is 1e-24 on the support
    assert predictor.stationarity(data, predictor.solve(data).effective) < 1e-9
    assert predictor.stationarity(data, MinL2().solve(data).effective) > 1e-2


def test_the_path_is_the_single_answers_in_the_order_given(planted):
    data, _, _ = planted(2, noise=0.3)
    alphas = [1e-30, 1e6, 0.1, 0.1]
    for alpha, reference in zip(alphas, MinHyperbolicEntropy(7.0, depth=4).path(data, alphas), strict=True):
        alone = MinHyperbolicEntropy(alpha, depth=4).solve(data)
        np.testing.assert_allclose(reference.effective, alone.effective, atol=1e-11)
        assert reference.value == pytest.approx(alone.value, rel=1e-12)


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6), log_alpha=st.floats(-20, 3), depth=st.integers(3, 12))
def test_invariances(split, seed, log_scale, log_alpha, depth):
    rng = np.random.default_rng(seed)
    x, y, scale, alpha = rng.normal(size=(5, 9)), rng.normal(size=5), 10.0**log_scale, 10.0**log_alpha
    shape = np.exp(rng.uniform(-0.5, 0.5, size=9))
    reference = MinHyperbolicEntropy(alpha, depth=depth, shape=shape).solve(split(x, y))
    rows, columns = rng.permutation(5), rng.permutation(9)
    again = np.concatenate([rows, rng.integers(0, 5, size=2)])
    other = MinHyperbolicEntropy(alpha * scale ** (1 / depth), depth=depth, shape=shape[columns])
    moved = other.solve(split(x[again][:, columns], scale * y[again]))
    assert reference.ok and moved.ok
    np.testing.assert_allclose(moved.effective, scale * reference.effective[columns], atol=1e-8 * scale)
    assert moved.value == pytest.approx(scale * reference.value, rel=1e-9)


@ends
@pytest.mark.parametrize("kind", ["square", "tall", "low rank", "signs", "columns", "one", "twins", "empty columns"])
def test_awkward_data_certify(split, depth, kind):
    rng = np.random.default_rng(0)
    x = {
        "square": lambda: rng.normal(size=(6, 6)),
        "tall": lambda: rng.normal(size=(9, 6)),
        "low rank": lambda: rng.normal(size=(6, 2)) @ rng.normal(size=(2, 9)),
        "signs": lambda: rng.choice([-1.0, 1.0], size=(6, 9)),
        "columns": lambda: rng.normal(size=(6, 9)) * 10.0 ** rng.uniform(-3, 3, size=9),
        "one": lambda: rng.normal(size=(1, 9)),
        "twins": lambda: np.tile(rng.normal(size=(4, 5)), 2),
        "empty columns": lambda: rng.normal(size=(4, 9)) * (np.arange(9) % 3 > 0),
    }[kind]()
    data = split(x, x @ rng.normal(size=x.shape[1]))
    reference = MinHyperbolicEntropy(1.0, depth=depth).path(data, ALPHAS)
    assert all(one.ok for one in reference)
    if kind == "twins":  # equal columns share alike at every scale: the entropy is strictly convex
        for one in reference:
            np.testing.assert_allclose(one.effective[:5], one.effective[5:], atol=1e-9)
