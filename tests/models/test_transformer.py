import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from lazyrich.errors import BadInput
from lazyrich.inits import gaussian
from lazyrich.models import Transformer, measured_degrees, tangent
from lazyrich.models import outputs as eager

outputs = eqx.filter_jit(eager)
PAIRS = jnp.array([[0.0, 4.0], [3.0, 1.0], [2.0, 2.0]])


def placed(heads=2) -> Transformer:
    net = Transformer.at_zero(symbols=5, embedding=6, width=7, heads=heads)
    return gaussian(jr.key(0), net, scale=2 * jnp.array(net.scales))


def expected(net: Transformer, a: int, b: int):
    """Place by place and head by head."""
    parts = {name: np.asarray(getattr(net, name)) for name in vars(net) if name != "heads"}
    seen = np.stack([parts["embedding"][symbol] + parts["place"][i] for i, symbol in enumerate((a, b, 5))])
    size = 6 // net.heads
    added = np.zeros(6)
    for head in range(net.heads):
        cut = slice(head * size, (head + 1) * size)
        scores = [seen[2] @ parts["query"][:, cut] @ (seen[i] @ parts["key"][:, cut]) / np.sqrt(size) for i in range(3)]
        weights = np.exp(scores) / np.exp(scores).sum()
        added += sum(weights[i] * seen[i] @ parts["value"][:, cut] for i in range(3)) @ parts["mix"][cut]
    last = seen[2] + added
    return (last + np.maximum(last @ parts["first"], 0) @ parts["second"]) @ parts["out"]


@pytest.mark.parametrize("heads", [1, 3])
def test_the_formula(heads):
    net = placed(heads)
    found = outputs(net, PAIRS)
    np.testing.assert_allclose(found, [expected(net, int(a), int(b)) for a, b in PAIRS], rtol=1e-11)
    assert np.abs(found[1] - outputs(net, PAIRS[:, ::-1])[1]).max() > 1e-3, "it knows the order"


def test_it_is_not_homogeneous_but_for_its_last_layer():
    net = placed()
    assert np.ptp(measured_degrees(net, PAIRS, 2.0)) > 0.1
    larger = Transformer(**{**vars(net), "out": 3 * net.out})
    np.testing.assert_allclose(outputs(larger, PAIRS), 3 * outputs(net, PAIRS), rtol=1e-12)


def test_the_start_keeps_sizes():
    net = Transformer.at_zero(symbols=31, embedding=64, width=128)
    net = gaussian(jr.key(1), net, scale=jnp.array(net.scales))
    size = np.std(outputs(net, jnp.stack([jnp.arange(31.0), jnp.arange(31.0)[::-1]], axis=1)))
    # Each of three added parts of the last place is of length about one or less, and the last layer keeps it.
    assert 0.1 < size < 2.0


def test_its_tangent_is_how_outputs_change():
    init, other = placed(), gaussian(jr.key(2), placed(), scale=0.3)
    step = 1e-6
    near = jax.tree.map(lambda part, move: part + step * move, init, other)
    slope = (outputs(near, PAIRS) - outputs(init, PAIRS)) / step
    found = tangent.along(init, PAIRS, ravel_pytree(other)[0])
    np.testing.assert_allclose(found, slope, atol=1e-4 * np.abs(slope).max())


def test_layers_must_fit(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    net = placed()
    with pytest.raises(BadInput, match="a Transformer takes embedding"):
        Transformer(**{**vars(net), "mix": jnp.ones((5, 6))})
    with pytest.raises(BadInput, match="a Transformer takes embedding"):
        Transformer(**{**vars(net), "first": jnp.ones(6)})
    with pytest.raises(BadInput, match="heads that divide g"):
        Transformer(**{**vars(net), "heads": 4})
    with pytest.raises(BadInput, match="heads that divide g"):
        Transformer(**{**vars(net), "heads": 0})
