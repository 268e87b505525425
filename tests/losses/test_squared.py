import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.losses import Squared

F, Y = jnp.array([0.0, 3.0, -1.5]), jnp.array([2.0, 3.0, 0.5])


def test_closed_forms():
    loss = Squared()
    np.testing.assert_array_equal(loss.value(F, Y), [4.0, 0.0, 4.0])  # no half
    np.testing.assert_allclose(loss.log_value(F, Y), [np.log(4.0), -np.inf, np.log(4.0)], rtol=1e-15)
    np.testing.assert_array_equal(loss.scaled_slope(F, Y, 0.0), [-4.0, 0.0, -4.0])


@pytest.mark.parametrize("log_scale", [-600.0, 600.0])
def test_slopes_at_extreme_scales(log_scale):
    np.testing.assert_allclose(Squared().scaled_slope(F, Y, log_scale), 2 * np.exp(log_scale) * (F - Y), rtol=1e-15)


def test_log_value_where_the_value_underflows():
    f = jnp.asarray(1e-200)
    assert Squared().value(f, jnp.asarray(0.0)) == 0
    np.testing.assert_allclose(Squared().log_value(f, jnp.asarray(0.0)), -400 * np.log(10), rtol=1e-14)
