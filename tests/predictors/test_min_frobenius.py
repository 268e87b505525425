import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.predictors import MinFrobenius, MinL2
from lazyrich.problems import Entries, Split


def test_known_entries_stay_and_others_are_zero():
    data = Entries(jnp.array([0, 2, 2]), jnp.array([1, 0, 3]), jnp.array([3.0, -4.0, 12.0]), (3, 4))
    reference = MinFrobenius().solve(data)
    assert reference.ok and reference.value == pytest.approx(13, rel=1e-15)
    np.testing.assert_array_equal(reference.effective, [[0, 3, 0, 0], [0, 0, 0, 0], [-4, 0, 0, 12]])


@settings(max_examples=12)
@given(seed=st.integers(0, 1000), n=st.integers(1, 14), repeats=st.integers(0, 3))
def test_it_is_the_vector_of_least_norm(seed, n, repeats):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3, 4))
    x = np.concatenate([x, x[rng.integers(0, n, repeats)]])
    y = np.tensordot(x, rng.normal(size=(3, 4)), 2)
    reference = MinFrobenius().solve(Split(jnp.asarray(x), jnp.asarray(y)))
    flat = MinL2().solve(Split(jnp.asarray(x.reshape(-1, 12)), jnp.asarray(y)))
    assert reference.ok and reference.certificate.gap < 1e-12 and reference.certificate.feasibility < 1e-12
    np.testing.assert_allclose(reference.effective.ravel(), flat.effective, atol=1e-10)
    np.testing.assert_allclose(reference.effective.ravel(), np.linalg.pinv(x.reshape(-1, 12)) @ y, atol=1e-9)
    assert np.linalg.norm(np.tensordot(reference.dual, x, 1)) == pytest.approx(1, rel=1e-12)
