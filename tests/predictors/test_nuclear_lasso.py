import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.errors import BadInput
from lazyrich.losses import sample_weight
from lazyrich.predictors import MinNuclear, NuclearLasso
from lazyrich.problems import Entries, Split


@pytest.mark.parametrize("reduction", ["sum", "mean", "half_sum"])
@pytest.mark.parametrize("strength", [0.01, 0.3, 2.0])
def test_completion_agrees_with_a_cone_program(completion, cone, strength, reduction):
    data, _ = completion(1, (7, 9), rank=2, share=0.6, noise=0.3)
    reference = NuclearLasso(strength, reduction).solve(data)
    value, matrix = cone(data, strength, sample_weight(reduction, data.n))
    assert reference.ok and reference.certificate.gap < 1e-9 and reference.certificate.feasibility == 0
    # An interior point method stops at 1e-8 of the value: its matrix is known to the root of that.
    assert reference.value == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(reference.effective, matrix, atol=1e-3)


@pytest.mark.parametrize("n", [5, 40])
def test_sensing_agrees_with_a_cone_program(sensing, cone, n):
    data, _ = sensing(2, (5, 6), rank=2, n=n)
    data = Split(data.x, data.y + jnp.asarray(np.random.default_rng(0).normal(size=n)))
    reference = NuclearLasso(1.5, "sum").solve(data)
    assert reference.ok and reference.value == pytest.approx(cone(data, 1.5)[0], rel=1e-6)


def test_the_dual_is_a_bound(sensing):
    data, _ = sensing(3, (4, 4), rank=1, n=10)
    reference = NuclearLasso(0.7, "mean").solve(data)
    prices = np.linalg.norm(np.tensordot(reference.dual, np.asarray(data.x), 1), 2)
    assert prices <= 0.7 * (1 + 1e-12)
    bound = reference.dual @ np.asarray(data.y) - reference.dual @ reference.dual / (4 / 10)
    assert bound == pytest.approx(reference.value, rel=1e-9) and bound <= reference.value * (1 + 1e-12)


def test_all_entries_shrink():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(6, 4))
    left, sizes, right = np.linalg.svd(truth, full_matrices=False)
    rows, cols = np.divmod(np.arange(24), 4)
    data = Entries(jnp.asarray(rows), jnp.asarray(cols), jnp.asarray(truth.ravel()), (6, 4))
    strength = float(sizes[1] + sizes[2])  # between the second and the third, doubled
    reference = NuclearLasso(strength, "sum").solve(data)
    assert reference.ok and np.linalg.matrix_rank(reference.effective) == 2  # an exact rank
    np.testing.assert_allclose(reference.effective, (left * np.maximum(sizes - strength / 2, 0)) @ right, atol=1e-9)


def test_a_strength_above_every_price_gives_zero(completion):
    data, _ = completion(0, (6, 6), rank=2, share=0.5)
    y, prices = np.asarray(data.y), np.zeros((6, 6))
    prices[np.asarray(data.rows), np.asarray(data.cols)] = 2 * y
    top = float(np.linalg.norm(prices, 2))
    reference, below = NuclearLasso(top * (1 + 1e-9), "sum").solve(data), NuclearLasso(top * (1 - 1e-6), "sum").solve(data)
    assert reference.ok and not reference.effective.any() and reference.value == pytest.approx(y @ y, rel=1e-14)
    assert below.ok and below.effective.any() and np.linalg.matrix_rank(below.effective) == 1


def test_vanishing_strength_is_least_nuclear_norm(completion):
    data, _ = completion(1, (10, 10), rank=1, share=0.6)
    least = MinNuclear().solve(data)
    for strength in (1e-4, 1e-8, 1e-12):
        reference = NuclearLasso(strength, "sum").solve(data)
        assert reference.ok
        # The value is s |M| - O(s^2): at strength 1e-4 the second order is below a thousandth.
        assert reference.value / strength == pytest.approx(least.value, rel=10 * strength + 2e-6)


def test_decayed_factors_settle_there(completion):
    # Gradient descent on the factors, written out: balanced ones pay as much decay as the nuclear norm asks.
    data, _ = completion(2, (5, 4), rank=1, share=0.7, noise=0.1)
    rows, cols, y, strength = np.asarray(data.rows), np.asarray(data.cols), np.asarray(data.y), 0.5
    rng = np.random.default_rng(0)
    u, v = 0.5 * rng.normal(size=(5, 4)), 0.5 * rng.normal(size=(4, 4))
    for _ in range(20_000):
        slope = np.zeros((5, 4))
        slope[rows, cols] = 2 * ((u @ v.T)[rows, cols] - y)
        u, v = u - 0.02 * (slope @ v + strength * u), v - 0.02 * (slope.T @ u + strength * v)
    reference = NuclearLasso(strength, "sum").solve(data)
    np.testing.assert_allclose(u @ v.T, reference.effective, atol=1e-6)
    cost = np.sum(((u @ v.T)[rows, cols] - y) ** 2) + strength / 2 * (np.sum(u**2) + np.sum(v**2))
    assert cost == pytest.approx(reference.value, rel=1e-6)


def test_rows_of_many_sizes(sensing):
    data, _ = sensing(4, (4, 5), rank=2, n=12)
    sizes = 10.0 ** np.random.default_rng(0).integers(-8, 9, 12)
    reference = NuclearLasso(1.0, "sum").solve(Split(data.x * sizes[:, None, None], data.y * sizes))
    assert reference.ok


@settings(max_examples=12)
@given(seed=st.integers(0, 1000), log_strength=st.floats(-6, 2), noise=st.sampled_from([0.0, 1.0]))
def test_repeated_and_noisy_measurements(seed, log_strength, noise):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(6, 3, 4))[rng.integers(0, 6, 10)]
    y = np.tensordot(x, rng.normal(size=(3, 4)), 2) + noise * rng.normal(size=10)
    reference = NuclearLasso(10.0**log_strength, "half_sum").solve(Split(jnp.asarray(x), jnp.asarray(y)))
    assert reference.ok


@pytest.mark.parametrize("strength", [0.0, -1.0, float("nan"), float("inf")])
def test_strengths_that_are_none(strength):
    with pytest.raises(BadInput, match="strength must be a number"):
        NuclearLasso(strength, "sum")
