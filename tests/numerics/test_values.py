import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.numerics.values import concrete, require_double, require_finite


def test_concrete_numbers_are_seen_and_traced_ones_are_not():
    np.testing.assert_array_equal(concrete(jnp.arange(3)), [0, 1, 2])
    seen = []
    jax.jit(lambda value: seen.append(concrete(value)))(jnp.arange(3))
    jax.vmap(lambda value: seen.append(concrete(value)) or value)(jnp.arange(3))
    assert seen == [None, None]


def test_double_precision_is_asked_for_with_the_cure():
    require_double("Anything")
    with jax.enable_x64(False), pytest.raises(BadInput) as error:
        require_double("Anything")
    assert error.value.needed == "Anything needs double precision"
    assert 'jax.config.update("jax_enable_x64", True)' in error.value.cure


def test_numbers_that_are_not_finite_are_counted():
    require_finite("x", jnp.ones(3))
    with pytest.raises(BadInput, match="x must hold finite numbers; got 2 of 4"):
        require_finite("x", jnp.array([1.0, jnp.nan, jnp.inf, 0.0]))
    jax.jit(lambda x: require_finite("x", x))(jnp.array([jnp.nan]))  # nothing to look at: nothing to refuse
