import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import sparse_recovery

SIZES = {"n": 4000, "d": 5, "sparsity": 4, "test": 4000}


def test_the_truth_is_sparse_of_length_one_and_fits_without_noise():
    problem = sparse_recovery(jr.key(0), **SIZES)
    np.testing.assert_allclose(problem.truth, [0.5] * 4 + [0.0], rtol=1e-15)
    for split in (problem.train, problem.test):
        # Sums of five numbers of either sign, by another route.
        np.testing.assert_allclose(split.y, np.asarray(split.x) @ np.asarray(problem.truth), rtol=0, atol=1e-14)


def test_noise_is_a_standard_deviation():
    train = sparse_recovery(jr.key(1), **SIZES, noise=0.3).train
    x, n = np.asarray(train.x), SIZES["n"]
    errors = np.asarray(train.y) - x[:, :4].sum(axis=1) / 2
    # The variance of n Gaussian errors has relative deviation sqrt(2/n); means with the inputs have 0.3/sqrt(n).
    assert abs(errors.var() / 0.09 - 1) < 4 * np.sqrt(2 / n)
    assert abs(errors.mean()) < 4 * 0.3 / np.sqrt(n)
    assert np.abs(x.T @ errors / n).max() < 4 * 0.3 / np.sqrt(n)


def test_excess_risk_is_the_error_on_fresh_samples():
    law = sparse_recovery(jr.key(2), **SIZES).law
    effective = jnp.array([1.0, -0.5, 0.25, 0.0, 2.0])
    fresh = law.sample(jr.key(3), SIZES["n"])
    errors = np.asarray(fresh.x @ effective - fresh.y) ** 2
    assert abs(errors.mean() - law.excess_risk(effective)) < 4 * errors.std() / np.sqrt(errors.size)
    assert law.excess_risk(law.truth) == 0


@pytest.mark.parametrize(
    "bad", [{"sparsity": 6}, {"sparsity": 0}, {"noise": -0.1}, {"noise": float("nan")}, {"n": 0}, {"d": 0}, {"test": -1}]
)
def test_bad_input(bad):
    with pytest.raises(BadInput):
        sparse_recovery(jr.key(0), **(SIZES | bad))
