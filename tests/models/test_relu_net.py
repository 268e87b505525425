import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import he, relu_line
from lazyrich.models import Doubled, ReluNet, outputs

X = np.random.default_rng(0).standard_normal((5, 3))


def scaled(net, c):
    return jax.tree.map(lambda part: c * part, net)


def test_it_is_layers_by_hand():
    net = he(jr.key(0), (3, 4, 6, 2), bias="first")
    w1, w2, w3 = (np.asarray(part) for part in net.weights)
    net = ReluNet(net.weights, (jnp.arange(4.0), None, None))
    by_hand = np.maximum(np.maximum(X @ w1 + np.arange(4.0), 0) @ w2, 0) @ w3
    np.testing.assert_allclose(outputs(net, jnp.asarray(X)), by_hand, rtol=1e-12)
    np.testing.assert_allclose(net(jnp.asarray(X[0])), by_hand[0], rtol=1e-12)


@pytest.mark.parametrize("sizes", [(3, 5, 1), (3, 5, 4, 1)])
def test_of_the_degree_of_its_layers(sizes):
    net = he(jr.key(1), sizes)
    assert net.degree == len(sizes) - 1 and net(jnp.asarray(X[0])).shape == ()
    np.testing.assert_allclose(
        outputs(scaled(net, 3.0), jnp.asarray(X)), 3.0**net.degree * outputs(net, jnp.asarray(X)), rtol=1e-12
    )


def test_equal_halves_are_zero_and_move_apart():
    net = Doubled.of(he(jr.key(2), (3, 5, 1)))
    np.testing.assert_array_equal(outputs(net, jnp.asarray(X)), np.zeros(5))
    slope = jax.grad(lambda net: outputs(net, jnp.asarray(X)).sum())(net)
    for up, down in zip(jax.tree.leaves(slope.plus), jax.tree.leaves(slope.minus), strict=True):
        np.testing.assert_allclose(up, -down)
        assert np.abs(up).max() > 0
    assert net.degree == 2 and len(jax.tree.leaves(net.parameters())) == 4


@pytest.mark.parametrize("law", ["normal", "uniform"])
def test_he_keeps_the_size_of_what_passes(law):
    net = he(jr.key(3), (400, 600, 500), alpha=2.0, law=law)
    for part, n_in in zip(net.weights, (400, 600), strict=True):
        assert np.std(part) == pytest.approx(2 * np.sqrt(2 / n_in), rel=0.01)  # 3e5 draws: 0.2 %
        assert law == "normal" or np.abs(part).max() <= 2 * np.sqrt(6 / n_in)


def test_the_ratio_of_the_layers_leaves_each_half_alone():
    x = jnp.asarray(X[:, :1])
    even, tilted = (relu_line(jr.key(4), width=50, ratio=ratio) for ratio in (1.0, 5.0))
    np.testing.assert_allclose(outputs(tilted.plus, x), outputs(even.plus, x), rtol=1e-12)
    np.testing.assert_allclose(tilted.plus.weights[0], 5 * even.plus.weights[0])
    assert relu_line(jr.key(4), width=5, offset=True).plus.biases[1].shape == (1,)


def test_layers_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(BadInput, match="for each a bias of its outputs"):
        ReluNet((jnp.ones((2, 3)), jnp.ones((4, 1))), (None, None))
    with pytest.raises(BadInput, match="for each a bias of its outputs"):
        ReluNet((jnp.ones((2, 3)),), (jnp.ones(2),))
    with pytest.raises(BadInput, match="for each a bias of its outputs"):
        ReluNet((jnp.ones((2, 3)),), ())
