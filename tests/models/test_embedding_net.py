import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import gaussian
from lazyrich.models import EmbeddingNet, outputs


def placed(key=0) -> EmbeddingNet:
    net = EmbeddingNet.at_zero(symbols=5, embedding=4, width=6)
    return gaussian(jr.key(key), net, scale=0.5)


def test_the_formula():
    net, x = placed(), jnp.array([[0.0, 4.0], [3.0, 3.0]])
    a, b = (np.asarray(net.embedding)[np.asarray(x[:, side], int)] for side in (0, 1))
    hidden = np.maximum(a * b @ np.asarray(net.first) + np.asarray(net.bias), 0)
    np.testing.assert_allclose(outputs(net, x), hidden @ np.asarray(net.out) + np.asarray(net.offset), rtol=1e-13)


def test_it_does_not_know_the_order():
    net = placed(1)
    np.testing.assert_allclose(net(jnp.array([1.0, 3.0])), net(jnp.array([3.0, 1.0])), rtol=1e-14)


def test_without_biases_it_is_of_degree_four():
    net = gaussian(jr.key(2), placed(), scale=jnp.array(placed().scales))
    larger = jax.tree.map(lambda part: 2 * part, net)
    x = jnp.array([1.0, 2.0])
    np.testing.assert_allclose(larger(x), 16 * net(x), rtol=1e-13)


def test_layers_must_fit(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(BadInput, match="an EmbeddingNet takes embedding"):
        EmbeddingNet(jnp.ones((5, 4)), jnp.ones((3, 6)), jnp.ones(6), jnp.ones((6, 5)), jnp.ones(5))
