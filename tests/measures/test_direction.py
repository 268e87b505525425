import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ortho_group

from lazyrich.measures import cosine

measured = jax.jit(cosine)


def vectors(seed: int):
    return np.random.default_rng(seed).standard_normal((2, 5))


@given(seed=st.integers(0, 10_000), log_scales=st.tuples(st.floats(-650, 650), st.floats(-650, 650)))
def test_sees_neither_scale_nor_rotation_nor_order(seed, log_scales):
    a, b = vectors(seed)
    expected = a @ b / np.sqrt((a @ a) * (b @ b))
    # Vectors of length 5: a few roundings each way. At e^650 their squares are far out of range.
    np.testing.assert_allclose(
        measured(np.exp(log_scales[0]) * jnp.asarray(a), np.exp(log_scales[1]) * jnp.asarray(b)), expected, atol=1e-14
    )
    turn = ortho_group.rvs(5, random_state=seed)
    np.testing.assert_allclose(measured(jnp.asarray(turn @ a), jnp.asarray(turn @ b)), expected, atol=1e-14)
    assert measured(jnp.asarray(b), jnp.asarray(a)) == measured(jnp.asarray(a), jnp.asarray(b))


def test_at_the_ends():
    a = jnp.array([3.0, 4.0])
    np.testing.assert_allclose([cosine(a, 2 * a), cosine(a, -a)], [1.0, -1.0], rtol=1e-15)
    assert cosine(a, jnp.array([4.0, -3.0])) == 0
    assert cosine(a, jnp.zeros(2)) == cosine(jnp.zeros(2), jnp.zeros(2)) == 0


def test_nan_stays_nan():
    assert jnp.isnan(cosine(jnp.array([jnp.nan, 1.0]), jnp.ones(2)))
