import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import HadamardNet

B = np.random.default_rng(0).standard_normal((3, 5))
X = np.array([1.0, -2.0, 0.5, 3.0, 0.1])


def test_map_and_gradient():
    net = HadamardNet(jnp.asarray(B))
    np.testing.assert_allclose(net(jnp.asarray(X)), np.sum(B.prod(axis=0) * X), rtol=1e-14)
    slope = jax.grad(lambda net: net(jnp.asarray(X)))(net).factors
    expected = [np.delete(B, k, axis=0).prod(axis=0) * X for k in range(3)]
    np.testing.assert_allclose(slope, expected, rtol=1e-13)
    assert net.degree == 3 and HadamardNet.at_zero(dim=5, depth=1).degree == 1


def test_a_start_of_output_zero_that_moves():
    net = HadamardNet.zero_first(0.3, dim=5, depth=3)
    assert not np.asarray(net.effective()).any() and (np.asarray(net.factors[1:]) == 0.3).all()
    slope = jax.grad(lambda net: net(jnp.asarray(X)))(net).factors
    np.testing.assert_allclose(slope[0], 0.09 * X, rtol=1e-14)


def test_without_factors_it_is_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    for factors in (jnp.zeros((0, 3)), jnp.zeros(3)):
        with pytest.raises(BadInput, match="a depth of at least 1"):
            HadamardNet(factors)
