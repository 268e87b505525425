"""Oracles: integrals of the definition, the closed forms by powers, arithmetic of many digits, the quartic of the paper."""

import decimal
from decimal import Decimal

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from lazyrich.numerics.entropy import hyperbolic_entropy, scaled_entropy
from lazyrich.numerics.entropy_links import PowerLink, SinhLink, link_of

DEPTHS = [2, 3, 4, 5, 10, 100]
each = pytest.mark.parametrize("depth", DEPTHS)
ZERO = np.zeros(1)


def h(depth, p):
    """The answer at a price, as printed."""
    if depth == 2:
        return 2 * np.sinh(p)
    a = depth / (depth - 2)
    return (1 - p) ** -a - (1 + p) ** -a


@pytest.mark.parametrize(
    "depth, z, value", [(2, 3, 1.97873838), (3, 5, 1.36661179), (4, 5, 1.88747606), (5, 5, 2.15736794), (10, 5, 2.61583342)]
)
def test_printed_values(depth, z, value):
    link = link_of(depth)
    for answer in (z, -z):
        assert round(float(link.entropies(np.array([float(answer)]), ZERO)[0]), 8) == value


@each
@pytest.mark.parametrize("z", [1e-3, 0.5, 3.0, 40.0])
def test_the_entropy_is_the_integral_of_the_price(depth, z):
    top = 0.999999999 if depth > 2 else 10.0
    integral, _ = quad(lambda u: brentq(lambda p: h(depth, p) - u, 0, top, xtol=1e-15), 0, z, epsabs=0, epsrel=1e-10)
    np.testing.assert_allclose(link_of(depth).entropies(np.array([z]), ZERO), integral, rtol=1e-8)


@each
@given(sigma=st.floats(-6, 6).filter(lambda s: abs(s) > 1e-6))
def test_answers_slopes_and_conjugates_are_those_of_the_powers(depth, sigma):
    link = link_of(depth)
    with decimal.localcontext() as context:
        context.prec = 60
        up, down = Decimal(sigma).exp(), (-Decimal(sigma)).exp()
        if depth == 2:
            answer, slope, conjugate = up - down, up + down, up + down - 2
        else:
            room, other = 2 * down / (up + down), 2 * up / (up + down)  # 1 - p and 1 + p
            a, low = Decimal(depth) / (depth - 2), Decimal(2) / (depth - 2)
            answer, slope = room**-a - other**-a, a * (room ** (-a - 1) + other ** (-a - 1))
            conjugate = (room**-low + other**-low - 2) / low
        expected = [float(abs(v).ln()) for v in (answer, slope, conjugate)]
    size = np.array([abs(sigma)])
    reference = [float(part(size)[0]) for part in (link.log_answer, link.log_slope, link.log_conjugate)]
    np.testing.assert_allclose(reference, expected, rtol=1e-13, atol=1e-12)


@each
def test_places_invert_answers_over_the_whole_range(depth):
    logs = np.concatenate([np.linspace(-600, 5000, 400), np.linspace(-3, 3, 200)])
    link = link_of(depth)
    np.testing.assert_allclose(link.log_answer(link.place(logs)), logs, rtol=1e-14, atol=2e-15)


@each
@given(sigma=st.floats(-300, 300), after=st.floats(-300, 300), unit=st.floats(-20, 20))
def test_a_price_raised_by_its_rise_comes_to_the_place_meant(depth, sigma, after, unit):
    link, one = link_of(depth), np.array([sigma])
    rise = link.rise(one, np.array([after]), unit)
    placed = link.raised(one, rise, unit)[0]
    # Near the limit, the room after the rise is a difference from the room before: a larger one hides a smaller. Rooms go
    # like exp(-2 sigma), so a place 7 further on is known to exp(14) roundings, 3e-10.
    hidden = depth > 2 and abs(after) > abs(sigma) + 7
    hidden = hidden or depth > 2 and sigma * after < 0 and abs(after) > 7
    if not hidden:
        np.testing.assert_allclose(placed, after, rtol=1e-9, atol=1e-9)


def test_no_answer_has_a_price_beyond_the_limit():
    link = PowerLink(5)
    assert np.isinf(link.at_price(np.array([1.0, -1.0, 1.5]))).all()
    assert np.isinf(link.raised(np.array([0.5, 20.0]), np.array([0.9, 1e-10]), 0.0)).all()
    assert np.isfinite(link.raised(np.array([0.5, 20.0]), np.array([-0.9, -1e-10]), 0.0)).all()
    assert link.limit == 1 and SinhLink().limit == np.inf


@each
def test_scaled_entropies_at_the_ends(depth):
    link, b = link_of(depth), np.array([3.0, -1e-3])
    lazy = link.entropies(b, np.full(2, 300.0))
    np.testing.assert_allclose(lazy, b**2 / (2 * link.stiffness) * np.exp(-300.0), rtol=1e-12)
    rich = link.entropies(b, np.full(2, -4000.0))
    expected = np.abs(b) * (np.log(np.abs(b)) + 4000 - 1) if depth == 2 else np.abs(b)
    np.testing.assert_allclose(rich, expected, rtol=1e-13)
    assert not link.entropies(np.zeros(2), np.array([-900.0, 900.0])).any()


def test_depth_2_is_the_entropy_of_the_compiled_form():
    b, log_c = np.linspace(-4, 4, 41), np.linspace(-30, 10, 41)
    np.testing.assert_allclose(SinhLink().entropies(b, log_c), scaled_entropy(jnp.asarray(b), log_c), rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(SinhLink().entropies(b, 0 * b), hyperbolic_entropy(jnp.asarray(b)), rtol=1e-12, atol=1e-300)


@given(z=st.floats(-50, 50).filter(lambda z: abs(z) > 0.05))
def test_the_distance_of_depth_2_solves_the_quartic_of_the_paper(z):
    r = float(PowerLink(4).entropies(np.array([z]), ZERO)[0])
    roots = np.roots([1, -6, 12 - 2 * z**2, -(8 + 10 * z**2), z**2 + z**4])
    real = np.sort(roots[np.abs(roots.imag) < 1e-6 * np.abs(roots)].real)
    # Two real roots, and the distance is the smaller one.
    assert real.size == 2
    np.testing.assert_allclose(r, real[0], rtol=1e-9)


@pytest.mark.parametrize("depth", DEPTHS[1:])
def test_deep_entropies_tend_to_the_absolute_value(depth):
    z = 1e9
    lacks = z - float(link_of(depth).entropies(np.array([z]), ZERO)[0])
    expected = depth / 2 * z ** (2 / depth) - (depth - 2) * (1 - 2 ** (-depth / (depth - 2)))
    # The next term falls like z^(2/D - 1), and both sides are differences from 1e9.
    assert lacks == pytest.approx(expected, rel=1e-6, abs=1e-5)
