import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.numerics.crossings import first_crossing

NAN = float("nan")
NEVER = float("inf")


@pytest.mark.parametrize(
    ("y", "level", "expected"),
    [
        ([0.0, 1.0, 2.0, 3.0], 1.5, 2.0),
        ([0.0, 1.0, 2.0, 3.0], 2.0, 3.0),  # an exact hit
        ([0.0, 1.0, 2.0, 3.0], 3.0, 5.0),  # at the last point
        ([0.0, 1.0, 2.0, 3.0], 3.1, NEVER),
        ([2.0, 0.0, 0.0, 3.0], 1.0, 0.0),  # starts above
        ([1.0, 0.0, 0.0, 3.0], 1.0, 0.0),  # starts on the level
        ([0.0, 2.0, 0.0, 2.0], 1.0, 0.5),  # only the first of two counts
        ([0.0, 0.0, 0.0, 0.0], 1.0, NEVER),
        ([0.0, NAN, 2.0, 3.0], 1.0, NAN),
        ([NAN, 0.0, 2.0, 3.0], 1.0, NAN),
        ([0.0, 0.5, NAN, NAN], 1.0, NAN),  # it might have crossed
        ([0.0, 2.0, NAN, NAN], 1.0, 0.5),  # it had crossed before
        ([2.0, NAN, 0.0, 0.0], 1.0, 0.0),
    ],
)
def test_by_hand(y, level, expected):
    x = jnp.array([0.0, 1.0, 3.0, 5.0])
    np.testing.assert_allclose(first_crossing(x, jnp.array(y), level), expected, rtol=1e-15)


@given(steps=st.lists(st.floats(0.01, 10), min_size=4, max_size=4), share=st.floats(0.001, 0.999))
def test_inverts_an_increasing_curve(steps, share):
    x = np.array([0.0, 1.0, 2.5, 7.0, 7.5])
    y = np.concatenate([[0.0], np.cumsum(steps)])
    level = share * y[-1]
    # Piecewise linear both ways; the slope of the inverse is at most 4.5/0.01.
    np.testing.assert_allclose(
        first_crossing(jnp.asarray(x), jnp.asarray(y), level), np.interp(level, y, x), rtol=1e-12, atol=1e-12
    )


def test_compiles_and_maps():
    x = jnp.array([0.0, 1.0, 2.0])
    curves = jnp.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    np.testing.assert_allclose(jax.jit(jax.vmap(first_crossing, (None, 0, None)))(x, curves, 1.5), [1.5, NEVER, 0.0])


@pytest.mark.parametrize("y", [[-np.inf, 1.0, 2.0], [0.0, np.inf, 2.0]])
def test_a_jump_from_or_to_infinity_counts_where_it_arrives(y):
    assert first_crossing(jnp.arange(3.0), jnp.array(y), 0.5) == 1.0
