import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from lazyrich.errors import BadInput
from lazyrich.predictors import MinDistance, MinHyperbolicEntropy, MinL1, MinL2


@pytest.mark.parametrize("alpha", [0.2, 1.0])
@pytest.mark.parametrize("shaped", [False, True])
def test_it_is_the_least_distance_in_weights(split, alpha, shaped):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(3, 6)), rng.normal(size=3)
    shape = np.exp(rng.normal(size=6) / 2) if shaped else None
    start = alpha * np.tile(np.ones(6) if shape is None else shape, 2)
    met = {"type": "eq", "fun": lambda w: x @ (w[:6] ** 2 - w[6:] ** 2) - y}
    options = {"maxiter": 500, "ftol": 1e-14}
    found = minimize(lambda w: ((w - start) ** 2).sum(), start, constraints=met, method="SLSQP", options=options)
    reference = MinDistance(alpha, shape=shape).solve(split(x, y))
    assert reference.ok and reference.value == pytest.approx(found.fun, rel=1e-9)
    np.testing.assert_allclose(reference.effective, found.x[:6] ** 2 - found.x[6:] ** 2, atol=1e-6)


def test_without_a_shape_it_is_depth_4_at_the_root_of_the_scale(planted):
    data, _, _ = planted(0, noise=0.3)
    for alpha in (10.0, 0.1, 1e-6):
        reference, deep = MinDistance(alpha).solve(data), MinHyperbolicEntropy(np.sqrt(alpha), depth=4).solve(data)
        np.testing.assert_allclose(reference.effective, deep.effective, atol=1e-12)
        assert reference.value == pytest.approx(deep.value, rel=1e-12)


def test_the_shape_of_depth_4_is_another_one(planted):
    data, _, _ = planted(0, noise=0.3)
    shape = np.exp(np.random.default_rng(0).normal(size=20))
    reference = MinDistance(0.1, shape=shape).solve(data)
    deep = MinHyperbolicEntropy(np.sqrt(0.1), depth=4, shape=np.sqrt(shape)).solve(data)
    assert np.abs(reference.effective - deep.effective).max() > 1e-2


def test_its_limits(planted):
    data, _, _ = planted(0, n=15, d=30, noise=0.3)
    shape = np.exp(np.random.default_rng(0).normal(size=30))
    rich, lazy = MinL1().solve(data), MinL2(weights=shape**-2.0).solve(data)
    np.testing.assert_allclose(MinDistance(1e-12, shape=shape).solve(data).effective, rich.effective, atol=1e-10)
    far = MinDistance(1e5, shape=shape).solve(data)
    np.testing.assert_allclose(far.effective, lazy.effective, atol=1e-10)
    assert far.value * 8 * 1e10 == pytest.approx(lazy.value**2, rel=1e-6)  # r(z) = z^2 / 8 near zero


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6), log_alpha=st.floats(-20, 3))
def test_invariances(split, seed, log_scale, log_alpha):
    rng = np.random.default_rng(seed)
    x, y, scale, alpha = rng.normal(size=(5, 9)), rng.normal(size=5), 10.0**log_scale, 10.0**log_alpha
    reference = MinDistance(alpha).solve(split(x, y))
    rows, columns = rng.permutation(5), rng.permutation(9)
    moved = MinDistance(alpha * np.sqrt(scale)).solve(split(x[rows][:, columns], scale * y[rows]))
    assert reference.ok and moved.ok
    np.testing.assert_allclose(moved.effective, scale * reference.effective[columns], atol=1e-9 * scale)
    assert moved.value == pytest.approx(scale * reference.value, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.0, -1.0, 1e-301, 1e101, float("nan"), float("inf")])
def test_a_scale_must_be_positive(alpha):
    with pytest.raises(BadInput, match="alpha must be a number from"):
        MinDistance(alpha)
