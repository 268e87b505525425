"""Oracle: decimal arithmetic with 500 digits."""

from decimal import Decimal, localcontext

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.numerics.stable import log_expm1, log_log1p_exp, scaled_sinh, scaled_sinh_slope

EPS = np.finfo(float).eps


def exact(formula, *numbers: float) -> float:
    with localcontext(prec=500):
        return float(formula(*map(Decimal, numbers)))


def exact_sinh(z: float, log_scale: float) -> float:
    return exact(lambda z, s: (s + z).exp() - (s - z).exp(), z, log_scale)


@pytest.mark.parametrize(
    ("z", "log_scale"),
    [
        (1e-12, 0.0),
        (1e-12, 700.0),
        (0.3, -700.0),
        (1.0, 0.0),
        (np.nextafter(1.0, 2.0), 0.0),  # the two branches meet here
        (5.0, -3.0),
        (-5.0, -3.0),
        (600.0, -599.25),
        (5000.0, -5000.5),  # e^5000 alone is far out of range
        (-5000.0, -5000.5),
    ],
)
def test_scaled_sinh_is_exact_where_its_factors_are_not_floats(z, log_scale):
    # One rounding of the exponent, of size |z + s|, and a few of the result.
    tolerance = (8 + abs(abs(z) + log_scale)) * EPS
    np.testing.assert_allclose(scaled_sinh(jnp.asarray(z), log_scale), exact_sinh(z, log_scale), rtol=tolerance)


@given(z=st.floats(-30, 30), log_scale=st.floats(-30, 30))
def test_scaled_sinh_is_odd_and_scales(z, log_scale):
    value = scaled_sinh(jnp.asarray(z), log_scale)
    # XLA's own sinh is odd to a rounding only.
    np.testing.assert_allclose(scaled_sinh(jnp.asarray(-z), log_scale), -value, rtol=4 * EPS)
    # e^s is applied inside the exponent or outside: the same to a few roundings of an exponent up to 60; XLA has no
    # subnormal numbers.
    np.testing.assert_allclose(value, 2 * np.exp(log_scale) * np.sinh(z), rtol=1e-13, atol=1e-307)


@pytest.mark.parametrize("z", [1e-300, 1e-10, 0.5, 1.0, 40.0, 1000.0])
def test_log_expm1(z):
    # Beside the rounding of the result, one of z itself: near log 2 the result vanishes and only that is left.
    np.testing.assert_allclose(log_expm1(jnp.asarray(z)), exact(lambda z: (z.exp() - 1).ln(), z), rtol=4 * EPS, atol=2 * EPS)


def test_log_expm1_at_zero_is_minus_infinity():
    assert log_expm1(jnp.asarray(0.0)) == -np.inf


@pytest.mark.parametrize("z", [-1000.0, -30.1, -30.0, -29.9, -1.0, 0.0, 5.0, 800.0])
def test_log_log1p_exp(z):
    # Below -30 it is taken as z: wrong by e^-30 / 2 = 5e-14.
    np.testing.assert_allclose(log_log1p_exp(jnp.asarray(z)), exact(lambda z: (1 + z.exp()).ln().ln(), z), rtol=0, atol=1e-13)


def test_nan_stays_nan():
    for function in (log_expm1, log_log1p_exp, lambda z: scaled_sinh(z, 0.0)):
        assert np.isnan(function(jnp.asarray(jnp.nan)))


def exact_sinh_slope(x: float, y: float, log_scale: float) -> float:
    def quotient(x, y, s):
        if x == y:
            return (s + x).exp() + (s - x).exp()
        return ((s + x).exp() - (s - x).exp() - (s + y).exp() + (s - y).exp()) / (x - y)

    return exact(quotient, x, y, log_scale)


@pytest.mark.parametrize(
    ("x", "y", "log_scale"),
    [
        (2.0, 2.0, 0.0),
        (2.0, 2.0 - 1e-13, 0.0),
        (1e-9, -1e-9, -5.0),
        (3.0, -3.0, 1.0),
        (800.0, 799.5, -790.0),
        (800.0, 2.0, -790.0),
        (800.0, -800.0, -790.0),
        (0.0, 0.0, -30.0),
        (1.0, 0.0, 2.0),
    ],
)
def test_scaled_sinh_slope(x, y, log_scale):
    # The exponent's rounding is that of its largest part.
    rtol = 8 * EPS * max(1.0, abs(x), abs(log_scale))
    value = float(scaled_sinh_slope(jnp.asarray(x), jnp.asarray(y), log_scale))
    assert value == pytest.approx(exact_sinh_slope(x, y, log_scale), rel=rtol)
