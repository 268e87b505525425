import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from lazyrich.errors import BadInput
from lazyrich.problems import SparseSignLaw, sparse_classification

SIGNS = jnp.array([1.0, -1.0, 1.0])


def test_labels_are_the_majority_of_few_coordinates():
    problem = sparse_classification(jr.key(0), n=200, d=12, sparsity=5, test=200)
    for split in (problem.train, problem.test):
        x, y = np.asarray(split.x), np.asarray(split.y)
        assert np.isin(x, (-1, 1)).all() and np.isin(y, (-1, 1)).all()
        votes = x[:, :5] * np.asarray(problem.truth)[:5]
        np.testing.assert_array_equal(y, np.where((votes > 0).sum(axis=1) >= 3, 1, -1))
    assert not np.asarray(problem.truth)[5:].any()


@pytest.mark.parametrize("relevant", [[0.3, -0.1, 0.4], [0.02, -0.02, 0.02], [-0.1, -0.3, 0.2]])
def test_accuracy_against_fresh_samples(relevant):
    law, points = SparseSignLaw(SIGNS, 400), 10_000
    # 397 irrelevant weights of like size: the central limit theorem is off by less than 1e-3, a fraction of the error.
    effective = np.concatenate([relevant, 0.05 * np.random.default_rng(5).uniform(0.5, 1.5, 397)])
    fresh = law.sample(jr.key(6), points)
    share = np.mean(np.asarray(fresh.x) @ effective * np.asarray(fresh.y) > 0)
    assert abs(share - law.accuracy(jnp.asarray(effective))) < 4 * np.sqrt(share * (1 - share) / points)


@pytest.mark.parametrize(
    ("relevant", "expected"),
    [
        ([1.0, -1.0, 1.0], 1.0),
        ([-1.0, 1.0, -1.0], 0.0),
        ([0.0, 0.0, 0.0], 0.5),
        ([1.0, 0.0, 0.0], 0.75),  # one voter of three: wrong when the other two agree against it
        ([1.0, -1.0, 0.0], 0.75),  # two of them: sure of half the points, tied on the other
        ([3.0, -1.0, 1.0], 0.75),  # a dictator
    ],
)
def test_accuracy_without_irrelevant_coordinates_is_a_count(relevant, expected):
    law = SparseSignLaw(SIGNS, 6)
    assert law.accuracy(jnp.array(relevant + [0.0] * 3)) == expected


def test_accuracy_of_irrelevant_coordinates_alone_is_a_half():
    assert SparseSignLaw(SIGNS, 6).accuracy(jnp.array([0.0, 0.0, 0.0, 1.0, -2.0, 0.5])) == 0.5


def test_accuracy_of_the_kernel_phase():
    # lyu2024, section 3: w = X^T y at n = 256, d = 1e5 has 0.5151.
    ratio = 0.5 * np.sqrt(256 / 1e5)
    reference = SparseSignLaw(SIGNS, 4).accuracy(jnp.concatenate([ratio * SIGNS, jnp.ones(1)]))
    np.testing.assert_allclose(reference, (norm.cdf(3 * ratio) + 3 * norm.cdf(ratio)) / 4, rtol=1e-14)
    assert round(float(reference), 4) == 0.5151


@jax.jit
def accuracy(effective):
    return SparseSignLaw(SIGNS, 8).accuracy(effective)


@given(seed=st.integers(0, 1000), log_scale=st.floats(-200, 200))
def test_accuracy_sees_neither_scale_nor_order_and_flips_with_the_sign(seed, log_scale):
    w = jnp.asarray(np.random.default_rng(seed).standard_normal(8))
    reference = accuracy(w)
    assert 0 <= reference <= 1
    np.testing.assert_allclose(accuracy(np.exp(log_scale) * w), reference, rtol=0, atol=1e-13)
    np.testing.assert_allclose(accuracy(w.at[3:].set(w[3:][::-1])), reference, rtol=0, atol=1e-14)
    np.testing.assert_allclose(accuracy(-w), 1 - reference, rtol=0, atol=1e-14)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_accuracy_at_extreme_scales(scale):
    law, w = SparseSignLaw(SIGNS, 6), jnp.array([1.0, -1.0, 0.5, 0.3, 0.2, 0.1])
    np.testing.assert_allclose(law.accuracy(scale * w), law.accuracy(w), rtol=1e-14)


def test_accuracy_of_nan_is_nan():
    assert jnp.isnan(SparseSignLaw(SIGNS, 6).accuracy(jnp.full(6, jnp.nan)))


@pytest.mark.parametrize("bad", [{"sparsity": 2}, {"sparsity": 7}, {"sparsity": 0}, {"n": 0}, {"d": 0}, {"test": -1}, {"n": -2}])
def test_bad_input(bad):
    with pytest.raises(BadInput):
        sparse_classification(jr.key(0), **({"n": 3, "d": 5} | bad))
