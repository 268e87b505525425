"""The difference of two copies, against its definition: zero, with the kernel of one copy; `Doubled` has it twice."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.inits import he
from lazyrich.models import DiagonalNet, Difference, Doubled, PowerNet, outputs, parameters, tangent

X = jr.normal(jr.key(0), (5, 4))
MODELS = {
    "squared ReLU": PowerNet(jr.normal(jr.key(1), (4, 6)), jr.normal(jr.key(2), (6,)), 2, True),
    "diagonal": DiagonalNet(jnp.arange(1.0, 5.0), jnp.ones(4), 3),
    "three outputs": he(jr.key(3), (4, 6, 3)),
    "a module of the user's": eqx.nn.MLP(4, "scalar", 6, 1, dtype=jnp.float64, key=jr.key(4)),
}
each = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


@each
def test_zero_at_equal_copies_with_the_kernel_of_one(model):
    one = tangent.kernel(model, X)
    assert np.abs(one).max() > 0.1
    for wrapped, times in ((Difference.of(model), 1), (Doubled.of(model), 2)):
        assert not np.asarray(outputs(wrapped, X)).any()
        np.testing.assert_allclose(tangent.kernel(wrapped, X), times * one, rtol=1e-12, atol=1e-13 * np.abs(one).max())


@each
def test_copies_move_by_themselves(model):
    moved = jax.tree.map(lambda part: 1.3 * part if eqx.is_inexact_array(part) else part, model)
    expected = (jax.vmap(moved)(X) - jax.vmap(model)(X)) / np.sqrt(2)
    np.testing.assert_allclose(jax.vmap(Difference(moved, model))(X), expected, rtol=1e-13)
    assert len(jax.tree.leaves(parameters(Difference(moved, model)))) == 2 * len(jax.tree.leaves(parameters(model)))


def test_its_degree_is_that_of_a_copy():
    assert Difference.of(MODELS["diagonal"]).degree == 3
