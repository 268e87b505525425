from decimal import Decimal, localcontext

import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.errors import BadInput
from lazyrich.models import DiagonalNet, LogDiagonalNet

EPS = np.finfo(float).eps
POSITIVE = st.lists(st.floats(0.1, 4), min_size=4, max_size=4).map(np.array)
X = np.array([1.0, -2.0, 0.5, 3.0])


def in_logarithms(u, v, depth) -> LogDiagonalNet:
    u, v = np.log(u), np.log(v)
    return LogDiagonalNet(jnp.asarray((u + v) / 2), jnp.asarray((u - v) / 2), depth)


def test_effective_and_output_by_hand():
    net = DiagonalNet(jnp.array([2.0, 1.0]), jnp.array([1.0, 3.0]), depth=3)
    np.testing.assert_array_equal(net.effective(), [7.0, -26.0])
    assert net(jnp.array([1.0, 0.5])) == -6.0
    assert net.degree == net.depth == 3


@pytest.mark.parametrize("net", [DiagonalNet, LogDiagonalNet])
def test_at_scale_every_weight_is_alpha_and_the_output_zero(net):
    init = net.at_scale(0.3, dim=4, depth=3)
    np.testing.assert_allclose(np.stack(init.parameters()), np.full((2, 4), 0.3), rtol=4 * EPS)
    assert not np.asarray(init.effective()).any()
    assert net.at_scale(0.3, dim=4).depth == 2


def test_equal_halves_have_output_zero_when_compiled():
    assert not np.asarray(jax.jit(lambda net: net.effective())(DiagonalNet.at_scale(0.1, dim=4))).any()


@pytest.mark.parametrize(("u", "v", "depth"), [((3,), (2,), 2), ((3, 1), (3, 1), 2), ((3,), (3,), 0)])
def test_shapes_and_depths_that_do_not_fit_are_refused(monkeypatch, u, v, depth):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    with pytest.raises(BadInput, match="u and v of one shape"):
        DiagonalNet(jnp.ones(u), jnp.ones(v), depth)


@given(u=POSITIVE, v=POSITIVE)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_gradient_is_the_closed_form_and_obeys_euler(u, v, depth):
    net = DiagonalNet(jnp.asarray(u), jnp.asarray(v), depth)
    slope = jax.grad(lambda net: net(jnp.asarray(X)))(net)
    np.testing.assert_allclose(slope.u, depth * u ** (depth - 1) * X, rtol=1e-13)
    np.testing.assert_allclose(slope.v, -depth * v ** (depth - 1) * X, rtol=1e-13)
    # Homogeneous of degree D: theta . grad f = D f, up to cancellation between the terms of f.
    size = np.abs(X) @ (u**depth + v**depth)
    np.testing.assert_allclose(u @ slope.u + v @ slope.v, depth * net(jnp.asarray(X)), atol=1e-13 * size)


@pytest.mark.parametrize("depth", [2, 3])
def test_gradient_of_a_half_far_smaller_than_the_other(depth):
    # In the rich phase one half fades: its pull is D v^(D-1), not a rounding of u^(D-1), or it never comes back.
    slope = jax.jit(jax.grad(lambda net: net(jnp.ones(1))))(DiagonalNet(jnp.ones(1), jnp.full(1, 1e-20), depth))
    np.testing.assert_allclose([*slope.u, *slope.v], [depth, -depth * 1e-20 ** (depth - 1)], rtol=1e-14)


@given(u=POSITIVE, v=POSITIVE)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_logarithms_hold_the_same_net(u, v, depth):
    plain, logs = DiagonalNet(jnp.asarray(u), jnp.asarray(v), depth), in_logarithms(u, v, depth)
    np.testing.assert_allclose(np.stack(logs.parameters()), np.stack(plain.parameters()), rtol=8 * EPS)
    # The difference of two powers of at most 4^4 = 256, each good to a few roundings.
    np.testing.assert_allclose(logs.effective(), plain.effective(), rtol=0, atol=256 * 16 * EPS)
    np.testing.assert_allclose(logs(jnp.asarray(X)), plain(jnp.asarray(X)), rtol=0, atol=256 * 64 * EPS)
    assert logs.degree == depth


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize(("middle", "half"), [(100.0, 1e-80), (100.0, -3e-87), (-300.0, 250.0), (200.0, 1e-3), (-150.0, 1e-4)])
def test_logarithms_keep_the_digits_that_plain_weights_lose(middle, half, depth):
    with localcontext(prec=400):
        m, h = Decimal(middle), Decimal(half)
        exact = float((depth * (m + h)).exp() - (depth * (m - h)).exp())
    expected = LogDiagonalNet(jnp.full(1, middle), jnp.full(1, half), depth).effective()
    # One rounding of the exponent D m, and of D (m + h) where h is large: up to 900 units in the last place.
    np.testing.assert_allclose(expected, [exact], rtol=1000 * EPS)


def test_plain_weights_lose_them():
    u = np.exp(100.0 + 1e-80)
    assert DiagonalNet(jnp.full(1, u), jnp.full(1, np.exp(100.0 - 1e-80))).effective() == 0
