import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.regularizers import L1, L2, Nuclear, OneOf

PARTS = (L1(), L2(), Nuclear())
THETA = (jnp.array([[1.0, -2.0], [0.5, 3.0]]), jnp.array([-1.0, 0.0]))


@pytest.mark.parametrize("at", range(3))
def test_it_is_the_chosen_one(at):
    one, alone = OneOf(PARTS, jnp.asarray(at)), PARTS[at]
    told_late = jax.jit(lambda at: jax.grad(OneOf(PARTS, at).value)(THETA))(at)
    np.testing.assert_allclose(jax.jit(lambda theta: one.value(theta))(THETA), alone.value(THETA), rtol=1e-14)
    found = (one.subgradient(THETA), jax.grad(one.value)(THETA), told_late, one.prox(THETA, 0.3))
    slope = alone.subgradient(THETA)
    expected = (slope, slope, slope, alone.prox(THETA, 0.3))
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-15)
