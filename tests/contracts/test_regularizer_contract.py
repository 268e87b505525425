"""Every regularizer: a nonnegative function of the arrays, zero at zero, with a pull; blind to their order."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.regularizers import ALL

each = pytest.mark.parametrize("penalty", [kind() for kind in ALL], ids=lambda penalty: type(penalty).__name__)
NUMBERS = st.lists(st.floats(-10, 10), min_size=4, max_size=4).map(np.array)


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
@given(a=NUMBERS)
def test_it_pulls_uphill_along_the_parameters(penalty, a):
    value, slope = jax.value_and_grad(penalty.value)(jnp.asarray(a))
    # Convex and zero at zero: the slope along the parameters is at least the value.
    assert slope @ a >= value * (1 - 1e-12)
