import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.losses import Logistic

ONE = jnp.asarray(1.0)


@pytest.mark.parametrize("y", [-1.0, 1.0])
@pytest.mark.parametrize("margin", [-40.0, -2.0, 0.0, 2.0, 29.0, 31.0])
def test_closed_forms(y, margin):
    f, y = jnp.asarray(y * margin), jnp.asarray(y)
    tail = np.exp(-margin)
    np.testing.assert_allclose(Logistic().value(f, y), np.log1p(tail), rtol=1e-14)
    # Beyond a margin of 30 the logarithm is the margin, to e^-30 / 2.
    np.testing.assert_allclose(Logistic().log_value(f, y), np.log(np.log1p(tail)), rtol=1e-14, atol=1e-13)
    np.testing.assert_allclose(Logistic().scaled_slope(f, y, 0.0), -y * tail / (1 + tail), rtol=1e-14)


def test_log_value_long_after_the_value_is_gone():
    f = jnp.asarray(1000.0)
    assert Logistic().value(f, ONE) == 0
    assert Logistic().log_value(f, ONE) == -1000.0


@pytest.mark.parametrize(
    ("margin", "log_scale", "expected"),
    [
        (601.0, 600.0, -np.exp(-1.0)),  # e^600 and e^-601 meet as an ordinary number
        (1200.0, 1199.0, -np.exp(-1.0)),
        (-1000.0, 600.0, -np.exp(600.0)),  # the slope of a bad margin is one
        (-1000.0, -600.0, -np.exp(-600.0)),
        (0.0, -600.0, -np.exp(-600.0) / 2),
    ],
)
def test_slopes_at_extreme_scales(margin, log_scale, expected):
    np.testing.assert_allclose(Logistic().scaled_slope(jnp.asarray(margin), ONE, log_scale), expected, rtol=1e-13)
