import jax
import jax.numpy as jnp
import numpy as np

from lazyrich.regularizers import L1


def test_l1_is_the_sum_of_sizes_of_all_arrays():
    assert L1().value((jnp.array([1.0, -2.0]), jnp.array([[3.0]]))) == 6.0


def test_l1_pulls_with_the_signs_and_zero_has_none():
    parameters = jnp.array([2.0, -0.5, 0.0, -0.0])
    for slope in (L1().subgradient(parameters), jax.grad(L1().value)(parameters)):
        np.testing.assert_array_equal(slope, [1.0, -1.0, 0.0, 0.0])


def test_l1_prox_is_the_soft_threshold():
    found = L1().prox({"a": jnp.array([3.0, -0.5, 0.5, -2.0])}, 0.5)
    np.testing.assert_array_equal(found["a"], [2.5, 0.0, 0.0, -1.5])
