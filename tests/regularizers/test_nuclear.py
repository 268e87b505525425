import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.linalg import polar

from lazyrich.errors import BadInput
from lazyrich.regularizers import Nuclear
from lazyrich.regularizers.nuclear import polar_factor

RNG = np.random.default_rng(0)


def with_values(values, shape) -> tuple[np.ndarray, np.ndarray]:
    """A matrix with these singular values, and its polar factor where they are not zero."""
    left = np.linalg.qr(RNG.standard_normal((shape[0], len(values))))[0]
    right = np.linalg.qr(RNG.standard_normal((shape[1], len(values))))[0]
    return (left * values) @ right.T, (left * np.sign(values)) @ right.T


def test_matrices_cost_their_singular_values_and_vectors_nothing():
    matrix, _ = with_values(np.array([3.0, 2.0, 0.5]), (5, 4))
    tree = {"m": jnp.asarray(matrix), "v": jnp.full(7, 9.0), "c": jnp.array(2.0)}
    np.testing.assert_allclose(Nuclear().value(tree), 5.5, rtol=1e-14)
    assert not Nuclear().subgradient(tree)["v"].any() and Nuclear().subgradient(tree)["c"] == 0
    np.testing.assert_array_equal(Nuclear().prox(tree, 1.0)["v"], tree["v"])


@pytest.mark.parametrize("shape", [(6, 6), (9, 4), (4, 9)])
def test_the_polar_factor_is_that_of_an_svd(shape):
    matrix = RNG.standard_normal(shape)
    wanted = polar(matrix)[0]
    np.testing.assert_allclose(polar_factor(jnp.asarray(matrix)), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("smallest", [1e-2, 1e-4, 1e-6])
def test_the_polar_factor_loses_digits_with_the_square_of_the_condition(smallest):
    matrix, wanted = with_values(np.array([1.0, 0.3, smallest]), (7, 5))
    found = polar_factor(jnp.asarray(matrix))
    assert np.abs(np.asarray(found) - wanted).max() <= 1e-15 / smallest**2 + 1e-14


def test_repeated_and_missing_singular_values():
    matrix, wanted = with_values(np.array([1.0, 1.0]), (6, 4))
    found = polar_factor(jnp.asarray(matrix))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-14)
    np.testing.assert_allclose(jax.grad(Nuclear().value)(jnp.asarray(matrix)), wanted, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(polar_factor(jnp.zeros((3, 2))), np.zeros((3, 2)))


def test_the_prox_shrinks_singular_values():
    matrix, factor = with_values(np.array([3.0, 2.0, 0.5]), (5, 4))
    found = np.asarray(Nuclear().prox(jnp.asarray(matrix), 1.0))
    np.testing.assert_allclose(np.linalg.svd(found)[1], [2.0, 1.0, 0.0, 0.0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(np.sum(found * factor), 3.0, rtol=1e-13)


def test_arrays_of_more_than_two_axes_are_refused():
    with pytest.raises(BadInput, match="shape \\(2, 2, 2\\)"):
        Nuclear().value(jnp.ones((2, 2, 2)))
