"""Every loss: value, logarithm and slope are one function, at every scale."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.losses import ALL

# Losses of classes are not elementwise: they have tests of their own.
ELEMENTWISE = [loss() for loss in ALL if not loss.classes_only]
each = pytest.mark.parametrize("loss", ELEMENTWISE, ids=lambda loss: type(loss).__name__)
OUTPUT = st.floats(-30, 30)
SIGN = st.sampled_from([-1.0, 1.0])


@each
@given(f=OUTPUT, y=SIGN, log_scale=st.floats(-5, 5))
def test_the_slope_is_the_derivative(loss, f, y, log_scale):
    value, slope = jax.value_and_grad(loss.value)(jnp.asarray(f), jnp.asarray(y))
    assert value >= 0
    # An exponent of up to 35 is rounded once on either side.
    np.testing.assert_allclose(
        loss.scaled_slope(jnp.asarray(f), jnp.asarray(y), log_scale), np.exp(log_scale) * slope, rtol=1e-13, atol=1e-300
    )


@each
@given(f=OUTPUT, y=SIGN)
def test_the_logarithm_is_that_of_the_value(loss, f, y):
    value = loss.value(jnp.asarray(f), jnp.asarray(y))
    with np.errstate(divide="ignore"):
        expected = np.log(np.asarray(value))
    # Logistic is taken as its tail beyond a margin of 30, at a cost of e^-30 / 2.
    np.testing.assert_allclose(loss.log_value(jnp.asarray(f), jnp.asarray(y)), expected, rtol=0, atol=1e-13)


@each
@given(f=st.floats(-500, 500), y=SIGN, log_scale=st.sampled_from([-600.0, -100.0, 100.0, 600.0]))
def test_a_scaled_slope_is_finite_whenever_it_is_a_float(loss, f, y, log_scale):
    near = loss.scaled_slope(jnp.asarray(f), jnp.asarray(y), 0.0)
    if near == 0:
        return
    size = np.log(np.abs(near)) + log_scale
    if abs(size) < 700:
        far = loss.scaled_slope(jnp.asarray(f), jnp.asarray(y), log_scale)
        np.testing.assert_allclose(np.log(np.abs(far)), size, rtol=0, atol=1e-12)
        assert np.sign(far) == np.sign(near)


@pytest.mark.parametrize("loss", [loss() for loss in ALL if loss.signs_only], ids=lambda loss: type(loss).__name__)
@given(y=SIGN, margin=st.floats(800, 1e6))
def test_the_logarithm_outlives_the_value(loss, y, margin):
    f, y = jnp.asarray(y * margin), jnp.asarray(y)
    assert loss.value(f, y) == 0
    assert loss.log_value(f, y) == -margin  # both losses have the exponential tail


@each
def test_elementwise_and_compiled(loss):
    f, y = jnp.array([[0.5, -1.0, 2.0]]), jnp.array([[1.0, -1.0, -1.0]])
    for method in (loss.value, loss.log_value, lambda f, y: loss.scaled_slope(f, y, 0.3)):
        together = jax.jit(method)(f, y)
        assert together.shape == (1, 3)
        alone = [method(f[0, i], y[0, i]) for i in range(3)]
        np.testing.assert_allclose(together[0], alone, rtol=1e-14)
