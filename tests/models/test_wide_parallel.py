import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import gaussian
from lazyrich.models import WideParallel

U, V = np.random.default_rng(0).standard_normal((2, 5, 3))


def test_it_is_the_diagonal_of_a_factorization():
    net = WideParallel(jnp.asarray(U), jnp.asarray(V))
    np.testing.assert_allclose(net.effective(), np.diag(U @ V.T), atol=1e-15)
    np.testing.assert_allclose(net(jnp.arange(5.0)), np.diag(U @ V.T) @ np.arange(5.0), rtol=1e-13)
    assert net.degree == 2 and net.width == 3


def test_the_symmetric_net_is_the_same_map():
    net = WideParallel(jnp.asarray(U), jnp.asarray(V))
    np.testing.assert_allclose(net.symmetric().effective(), net.effective(), atol=1e-14)


def test_scales_of_a_gaussian_start():
    net = gaussian(jr.key(0), WideParallel.at_zero(dim=2000, width=50), scale=0.1)
    # alpha^2 sqrt(k) for the map, alpha^2 k for the lifted matrix; 2,000 rows give two digits.
    assert np.std(net.effective()) == pytest.approx(0.01 * np.sqrt(50), rel=0.05)
    halves = net.symmetric()
    assert np.mean(halves.u**2 + halves.v**2) == pytest.approx(0.01 * 50, rel=0.01)


def test_other_shapes_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    with pytest.raises(BadInput, match="u and v of one shape"):
        WideParallel(jnp.ones((3, 2)), jnp.ones((2, 3)))
