import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import gaussian
from lazyrich.models import LSTM, outputs


def placed() -> LSTM:
    return gaussian(jr.key(0), LSTM.at_zero(symbols=5, embedding=4, width=3), scale=0.7)


def expected(net: LSTM, a: int, b: int):
    """The recursion, one symbol and one gate at a time."""
    parts = [np.asarray(part) for part in (net.embedding, net.inner, net.back, net.bias, net.out, net.offset)]
    embedding, inner, back, bias, out, offset = parts
    state, memory = np.zeros(3), np.zeros(3)
    for symbol in (a, 5, b, 6):
        gates = embedding[symbol] @ inner + state @ back + bias
        take, keep, show = (1 / (1 + np.exp(-gates[3 * i : 3 * i + 3])) for i in (0, 1, 3))
        memory = keep * memory + take * np.tanh(gates[6:9])
        state = show * np.tanh(memory)
    return state @ out + offset


def test_the_recursion():
    net = placed()
    found = outputs(net, jnp.array([[0.0, 4.0], [3.0, 1.0]]))
    np.testing.assert_allclose(found, [expected(net, 0, 4), expected(net, 3, 1)], rtol=1e-12)


def test_its_slope_on_all_pairs_at_once():
    net, way = placed(), gaussian(jr.key(1), placed(), scale=1.0)
    pairs = [(a, b) for a in range(5) for b in range(5)]

    def moved(by: float) -> LSTM:
        return jax.tree.map(lambda part, along: part + by * along, net, way)

    slope = jax.grad(lambda net: jnp.sum(outputs(net, jnp.array(pairs, float)) ** 2))(net)
    along = sum(jnp.sum(part * more) for part, more in zip(jax.tree.leaves(slope), jax.tree.leaves(way), strict=True))
    up, down = (sum(np.sum(expected(moved(by), a, b) ** 2) for a, b in pairs) for by in (1e-5, -1e-5))
    # Central differences: a curvature of third order times 1e-10, and rounding times 1e5.
    np.testing.assert_allclose(along, (up - down) / 2e-5, rtol=1e-7)


def test_it_knows_the_order():
    net = placed()
    assert np.abs(net(jnp.array([1.0, 3.0])) - net(jnp.array([3.0, 1.0]))).max() > 1e-3


def test_layers_must_fit(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(BadInput, match="an LSTM takes embedding"):
        LSTM(jnp.ones((7, 4)), jnp.ones((4, 12)), jnp.ones((3, 9)), jnp.ones(12), jnp.ones((3, 5)), jnp.ones(5))
