import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import he_pairs
from lazyrich.measures import accuracy
from lazyrich.models import PairNet, outputs
from lazyrich.problems import modular_addition


def test_it_is_a_two_layer_net_on_the_one_hot_code():
    net = he_pairs(jr.key(0), symbols=5, width=7)
    x = jnp.array([[0.0, 4.0], [3.0, 3.0]])
    layer = jnp.concatenate([net.first, net.second])
    code = jax.vmap(net.one_hot)(x)
    np.testing.assert_allclose(outputs(net, x), jax.nn.relu(code @ layer + net.bias) @ net.out, rtol=1e-14)
    assert (code.sum(1) == 2).all()


def test_homogeneous_of_degree_two():
    net = he_pairs(jr.key(1), symbols=4, width=6)
    x = jnp.array([[1.0, 2.0]])
    larger = jax.tree.map(lambda part: 3 * part, net)
    np.testing.assert_allclose(outputs(larger, x), 9 * outputs(net, x), rtol=1e-14)


def test_starts():
    net = he_pairs(jr.key(2), symbols=50, width=2000, alpha=3.0)
    # Standard deviations over 10^5 numbers, good to half a percent.
    np.testing.assert_allclose([net.first.std(), net.second.std()], 3 * np.sqrt(1 / 50), rtol=0.01)
    np.testing.assert_allclose(net.out.std(), 3 / np.sqrt(2000), rtol=0.01)
    silent = he_pairs(jr.key(2), symbols=5, width=4, silent=True)
    assert (outputs(silent, jnp.array([[1.0, 1.0]])) == 0).all()


def test_modular_addition_splits_the_table():
    problem = modular_addition(jr.key(0), modulus=7, train_fraction=0.4)
    assert problem.train.n == int(0.4 * 49) and problem.train.n + problem.test.n == 49
    pairs = np.concatenate([problem.train.x, problem.test.x])
    assert len({tuple(pair) for pair in pairs}) == 49
    for split in (problem.train, problem.test):
        np.testing.assert_array_equal(split.x.sum(1) % 7, split.y)


def test_accuracy_of_classes():
    problem = modular_addition(jr.key(0), modulus=3, train_fraction=0.5)
    always_zero = PairNet(jnp.zeros((3, 1)), jnp.zeros((3, 1)), jnp.ones(1), jnp.array([[1.0, 0.0, 0.0]]))
    assert accuracy(always_zero, problem.train) == (problem.train.y == 0).mean()
    broken = PairNet(jnp.full((3, 1), jnp.nan), jnp.zeros((3, 1)), jnp.ones(1), jnp.ones((1, 3)))
    assert jnp.isnan(accuracy(broken, problem.train))


def test_bad_shapes_and_shares_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(BadInput, match="first and second"):
        PairNet(jnp.ones((3, 2)), jnp.ones((3, 2)), jnp.zeros(4), jnp.ones((2, 3)))
    with pytest.raises(BadInput, match="train_fraction"):
        modular_addition(jr.key(0), modulus=5, train_fraction=1.0)
