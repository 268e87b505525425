"""Every regularizer: nonnegative, zero at zero, even, blind to order; its subgradient and its prox are what they say."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.regularizers import ALL

each = pytest.mark.parametrize("penalty", [kind() for kind in ALL], ids=lambda penalty: type(penalty).__name__)
NUMBERS = st.lists(st.floats(-10, 10), min_size=4, max_size=4).map(np.array)
TREES = st.lists(st.floats(-10, 10, width=32), min_size=10, max_size=10).map(
    lambda numbers: (jnp.array(numbers[:4]), jnp.array(numbers[4:]).reshape(3, 2))
)
STEPS = st.floats(0.01, 5)


def inner(a, b) -> float:
    return float(sum(jnp.sum(left * right) for left, right in zip(jax.tree.leaves(a), jax.tree.leaves(b), strict=True)))


def minus(a, b):
    return jax.tree.map(lambda left, right: left - right, a, b)


def times(scale: float, a):
    return jax.tree.map(lambda part: scale * part, a)


@each
def test_zero_costs_nothing(penalty):
    assert penalty.value((jnp.zeros(4), jnp.zeros((2, 2)))) == 0
    assert penalty.value(()) == 0


@each
@given(a=NUMBERS, b=NUMBERS)
def test_nonnegative_even_and_blind_to_order(penalty, a, b):
    value = penalty.value((jnp.asarray(a), jnp.asarray(b)))
    assert value >= 0
    for same in ((-a, -b), (b, a), (a[::-1].copy(), b)):
        np.testing.assert_allclose(penalty.value(tuple(map(jnp.asarray, same))), value, rtol=1e-14)


@each
def test_compiled(penalty):
    parameters = {"a": jnp.arange(4.0), "b": jnp.ones((2, 2))}
    np.testing.assert_allclose(jax.jit(penalty.value)(parameters), penalty.value(parameters), rtol=1e-15)


@each
def test_many_at_once(penalty):
    many = (jnp.arange(8.0).reshape(2, 4) - 3, jnp.arange(12.0).reshape(2, 3, 2) - 5)
    steps = jnp.array([0.5, 2.0])
    for function in (lambda tree, step: penalty.subgradient(tree), penalty.prox):
        found = jax.vmap(function)(many, steps)
        for index in range(2):
            alone = function(jax.tree.map(lambda part, index=index: part[index], many), steps[index])
            for part, whole in zip(alone, found, strict=True):
                np.testing.assert_allclose(whole[index], part, rtol=0, atol=1e-13)


@each
@given(a=NUMBERS)
def test_it_pulls_uphill_along_the_parameters(penalty, a):
    value, slope = jax.value_and_grad(penalty.value)(jnp.asarray(a))
    # Convex and zero at zero: the slope along the parameters is at least the value.
    assert slope @ a >= value * (1 - 1e-12)


@each
@given(p=TREES, q=TREES)
def test_the_subgradient_stays_below(penalty, p, q):
    below = penalty.value(p) + inner(penalty.subgradient(p), minus(q, p))
    # Singular values under 1e-7 of the largest (up to 25 here, two of them) are taken as zero by the polar factor.
    assert penalty.value(q) >= below - 1e-5


@each
@given(p=TREES)
def test_the_subgradient_is_what_jax_sees(penalty, p):
    for part, slope in zip(penalty.subgradient(p), jax.grad(penalty.value)(p), strict=True):
        np.testing.assert_allclose(slope, part, rtol=0, atol=1e-14)


@each
def test_the_subgradient_at_zero_is_zero(penalty):
    zero = (jnp.zeros(4), jnp.zeros((3, 2)))
    for slope in (penalty.subgradient(zero), jax.grad(penalty.value)(zero)):
        assert all(not part.any() for part in slope)


@each
@given(p=TREES, q=TREES, step=STEPS)
def test_the_prox_minimizes(penalty, p, q, step):
    near = penalty.prox(p, step)

    def cost(tree):
        move = minus(tree, p)
        return float(step * penalty.value(tree) + inner(move, move) / 2)

    # Strongly convex: any other point costs more by half its squared distance.
    gap = minus(q, near)
    assert cost(q) >= cost(near) + inner(gap, gap) / 2 - 1e-9 * (1 + cost(q))


@each
@given(p=TREES, q=TREES, step=STEPS)
def test_the_prox_never_drives_points_apart(penalty, p, q, step):
    before, after = minus(p, q), minus(penalty.prox(p, step), penalty.prox(q, step))
    # The squared distance falls to at most the inner product: firm nonexpansiveness.
    assert inner(after, after) <= inner(before, after) + 1e-10 * (1 + inner(before, before))


@each
@given(p=TREES, step=STEPS, scale=st.floats(0.1, 10))
def test_homogeneous_in_value_and_prox(penalty, p, step, scale):
    value, doubled = float(penalty.value(p)), float(penalty.value(times(2.0, p)))
    if value < 1e-6:
        return
    degree = round(np.log2(doubled / value))
    np.testing.assert_allclose(penalty.value(times(scale, p)), scale**degree * value, rtol=1e-12)
    scaled, alone = penalty.prox(times(scale, p), step * scale ** (2 - degree)), times(scale, penalty.prox(p, step))
    for part, wanted in zip(scaled, alone, strict=True):
        np.testing.assert_allclose(part, wanted, rtol=0, atol=1e-11 * (1 + 25 * scale))
