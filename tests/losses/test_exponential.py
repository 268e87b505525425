import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.losses import Exponential

ONE = jnp.asarray(1.0)


@pytest.mark.parametrize("y", [-1.0, 1.0])
@pytest.mark.parametrize("margin", [-40.0, 0.0, 2.0, 31.0])
def test_closed_forms(y, margin):
    f, y = jnp.asarray(y * margin), jnp.asarray(y)
    np.testing.assert_allclose(Exponential().value(f, y), np.exp(-margin), rtol=1e-14)
    assert Exponential().log_value(f, y) == -margin
    np.testing.assert_allclose(Exponential().scaled_slope(f, y, 0.0), -y * np.exp(-margin), rtol=1e-14)


def test_log_value_long_after_the_value_is_gone():
    f = jnp.asarray(1000.0)
    assert Exponential().value(f, ONE) == 0
    assert Exponential().log_value(f, ONE) == -1000.0


@pytest.mark.parametrize(
    ("margin", "log_scale", "expected"),
    [(601.0, 600.0, -np.exp(-1.0)), (-1000.0, -1001.0, -np.exp(-1.0)), (0.0, -600.0, -np.exp(-600.0))],
)
def test_slopes_at_extreme_scales(margin, log_scale, expected):
    np.testing.assert_allclose(Exponential().scaled_slope(jnp.asarray(margin), ONE, log_scale), expected, rtol=1e-13)
