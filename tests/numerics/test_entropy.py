"""Oracles: numerical integration of the definition, and the closed forms of both ends."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from lazyrich.numerics.entropy import hyperbolic_entropy, scaled_arcsinh, scaled_entropy


@pytest.mark.parametrize("z", [0.0, 1e-6, 1e-3, 0.5, 3.0, -3.0, 50.0, 1e4])
def test_entropy_is_the_integral_of_its_slope(z):
    integral, error = quad(lambda u: np.arcsinh(u / 2), 0, z, epsabs=0, epsrel=1e-13)
    assert error <= 1e-12 * max(abs(integral), 1e-300)
    np.testing.assert_allclose(hyperbolic_entropy(jnp.asarray(z)), integral, rtol=1e-12)


def test_entropy_at_three():
    assert round(float(hyperbolic_entropy(jnp.asarray(3.0))), 8) == 1.97873838


@given(z=st.floats(-1e6, 1e6))
def test_entropy_is_even_with_slope_arcsinh(z):
    value, slope = jax.value_and_grad(hyperbolic_entropy)(jnp.asarray(z))
    assert value == hyperbolic_entropy(jnp.asarray(-z)) and value >= 0
    np.testing.assert_allclose(slope, np.arcsinh(z / 2), rtol=1e-13, atol=1e-300)


def test_entropy_is_quadratic_near_zero():
    z = 1e-9
    # The next term is z^4/192: a share of 2e-20. A form that subtracts loses all digits here.
    np.testing.assert_allclose(hyperbolic_entropy(jnp.asarray(z)), z**2 / 4, rtol=1e-14)


@given(b=st.floats(-100, 100), log_c=st.floats(-20, 20))
def test_scaled_forms_match_plain_ones(b, log_c):
    c = np.exp(log_c)
    b = 0.0 if abs(b) < 1e-100 else b  # their squares underflow
    # The logarithm joins numbers up to 25: 25 roundings.
    np.testing.assert_allclose(scaled_arcsinh(jnp.asarray(b), log_c), np.arcsinh(b / (2 * c)), rtol=1e-13, atol=1e-14)
    plain = c * float(hyperbolic_entropy(jnp.asarray(b / c)))
    np.testing.assert_allclose(scaled_entropy(jnp.asarray(b), log_c), plain, rtol=1e-12)


@pytest.mark.parametrize("log_c", [-300.0, -800.0])  # e^-800 is zero as a float
@pytest.mark.parametrize("b", [1.0, -2.5, 1e-3])
def test_scaled_forms_far_below_the_smallest_float(b, log_c):
    # With r = b/2c beyond 1e100: arcsinh(r) = log 2r and c q(b/c) = |b| (log|b| - log c - 1), to rounding.
    distant = np.log(abs(b)) - log_c
    np.testing.assert_allclose(scaled_arcsinh(jnp.asarray(b), log_c), np.sign(b) * distant, rtol=1e-14)
    np.testing.assert_allclose(scaled_entropy(jnp.asarray(b), log_c), abs(b) * (distant - 1), rtol=1e-14)


@pytest.mark.parametrize("log_c", [-800.0, -300.0, 0.0, 300.0])
def test_scaled_forms_vanish_at_zero(log_c):
    assert scaled_entropy(jnp.asarray(0.0), log_c) == 0
    assert scaled_arcsinh(jnp.asarray(0.0), log_c) == 0


def test_scaled_forms_at_a_huge_scale_are_those_of_least_squares():
    # b/c = e^-300: c q(b/c) = b^2/4c and arcsinh(b/2c) = b/2c to rounding.
    np.testing.assert_allclose(scaled_entropy(jnp.asarray(3.0), 300.0), 9 / 4 * np.exp(-300.0), rtol=1e-13)
    np.testing.assert_allclose(scaled_arcsinh(jnp.asarray(3.0), 300.0), 1.5 * np.exp(-300.0), rtol=1e-13)


@pytest.mark.parametrize("entropy", [hyperbolic_entropy, lambda z: scaled_entropy(z, 0.0)], ids=["plain", "scaled"])
def test_entropy_of_a_number_whose_square_overflows(entropy):
    np.testing.assert_allclose(entropy(jnp.asarray(1e200)), 1e200 * (200 * np.log(10) - 1), rtol=1e-14)
