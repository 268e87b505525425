import jax
import jax.numpy as jnp
import numpy as np

from lazyrich.regularizers import L2


def test_l2_is_half_the_square_of_all_arrays():
    assert L2().value((jnp.array([1.0, 2.0]), jnp.array([[3.0]]))) == 7.0
    assert L2().value(()) == 0.0


def test_l2_pulls_with_the_parameters_themselves():
    parameters = {"a": jnp.array([1.0, -2.0]), "b": jnp.array(0.5)}
    pull = jax.grad(L2().value)(parameters)
    np.testing.assert_array_equal(pull["a"], parameters["a"])
    np.testing.assert_array_equal(pull["b"], parameters["b"])


def test_l2_prox_divides():
    np.testing.assert_array_equal(L2().prox(jnp.array([3.0, -1.5]), 0.5), [2.0, -1.0])
    assert L2().subgradient({"a": 1.0}) == {"a": 1.0}
