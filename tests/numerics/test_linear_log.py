"""The inverse of x log x against scipy and against its own equation."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import lambertw

from lazyrich.numerics.linear_log import log_linear_log_inverse


def test_it_is_lambert():
    y = jnp.geomspace(1e-12, 1e12, 97)
    assert np.asarray(log_linear_log_inverse(jnp.log(y))) == pytest.approx(lambertw(np.asarray(y)).real, rel=1e-13)


def test_x_log_x_gives_the_argument_back_however_large():
    log_y = jnp.array([-600.0, -3.0, 0.99, 1.01, 40.0, 1e3, 1e6])
    w = np.asarray(log_linear_log_inverse(log_y))
    assert w + np.log(w) == pytest.approx(np.asarray(log_y), rel=1e-14)
