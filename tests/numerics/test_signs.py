import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.numerics.signs import random_signs


@pytest.mark.parametrize("shape", [(), (0, 3), (1,), (31,), (32,), (33,), (4, 5, 6)])
def test_shape_and_values(shape):
    signs = random_signs(jr.key(0), shape)
    assert signs.shape == shape and signs.dtype == jnp.float64
    assert np.isin(np.asarray(signs), (-1.0, 1.0)).all()


def test_every_bit_is_fair_and_independent():
    words, bits = 4000, 32
    signs = np.asarray(random_signs(jr.key(1), (words, bits)))
    # Means of 4000 fair signs have deviation 1/sqrt(4000); 32 of them, and 496 products: 4.5 deviations.
    limit = 4.5 / np.sqrt(words)
    assert np.abs(signs.mean(axis=0)).max() < limit
    products = signs.T @ signs / words
    assert np.abs(products - np.eye(bits)).max() < limit


def test_the_key_decides():
    first, again, other = (random_signs(jr.key(seed), (200,)) for seed in (3, 3, 4))
    assert (first == again).all() and (first != other).any()
    assert (jax.jit(random_signs, static_argnums=1)(jr.key(3), (200,)) == first).all()
