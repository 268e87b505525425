import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import ProductNet

U, V = np.random.default_rng(0).standard_normal((2, 5))
X = np.array([1.0, -2.0, 0.5, 3.0, 0.1])


def test_map_gradient_and_scale():
    net = ProductNet(jnp.asarray(U), jnp.asarray(V))
    np.testing.assert_allclose(net(jnp.asarray(X)), np.sum(U * V * X), rtol=1e-14)
    slope = jax.grad(lambda net: net(jnp.asarray(X)))(net)
    np.testing.assert_allclose(np.stack(slope.parameters()), [V * X, U * X], rtol=1e-14)
    init = ProductNet.at_scale(0.3, dim=5)
    assert not np.asarray(init.effective()).any() and (np.asarray(init.u) == 0.3).all() and init.degree == 2


def test_the_symmetric_net_is_the_same_map():
    net = ProductNet(jnp.asarray(U), jnp.asarray(V))
    twin = net.symmetric()
    assert (np.asarray(twin.u) >= 0).all() and (np.asarray(twin.v) >= 0).all()
    np.testing.assert_allclose(twin.effective(), net.effective(), atol=1e-15)
    # Four times the product of its halves is what the flow conserves.
    np.testing.assert_allclose(4 * twin.u * twin.v, np.abs(U**2 - V**2), atol=1e-15)


def test_other_shapes_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    with pytest.raises(BadInput, match="u and v of one shape"):
        ProductNet(jnp.ones(3), jnp.ones(2))
