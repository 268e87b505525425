import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import LinearNet, entries, outputs

RNG = np.random.default_rng(0)
U, V, X = RNG.standard_normal((5, 7)), RNG.standard_normal((2, 7)), RNG.standard_normal((3, 5))
NET = LinearNet(jnp.asarray(U), jnp.asarray(V))


def test_its_map_is_the_product_of_its_layers():
    np.testing.assert_allclose(NET.effective(), U @ V.T, rtol=1e-14)
    np.testing.assert_allclose(outputs(NET, jnp.asarray(X)), X @ U @ V.T, rtol=1e-13)
    np.testing.assert_allclose(NET(jnp.asarray(X[0])), V @ U.T @ X[0], rtol=1e-14)
    assert NET.degree == 2 and NET.width == 7


def test_its_entries_are_those_of_the_matrix():
    rows, cols = np.array([0, 4, 4]), np.array([1, 0, 0])
    np.testing.assert_allclose(entries(NET, jnp.asarray(rows), jnp.asarray(cols)), (U @ V.T)[rows, cols], rtol=1e-14)


def test_turning_the_hidden_layer_changes_nothing():
    q = np.linalg.qr(RNG.standard_normal((7, 7)))[0]
    np.testing.assert_allclose(LinearNet(NET.u @ q, NET.v @ q).effective(), NET.effective(), rtol=1e-12)


def test_compiled_and_mapped():
    scales = jnp.array([0.5, 1.0, 2.0])
    found = jax.jit(jax.vmap(lambda c: LinearNet(c * NET.u, c * NET.v).effective()))(scales)
    np.testing.assert_allclose(found, scales[:, None, None] ** 2 * NET.effective(), rtol=1e-13)


def test_at_zero_it_has_the_shapes_asked_for():
    net = LinearNet.at_zero(dim=5, outputs=2, width=7)
    assert net.u.shape == (5, 7) and net.v.shape == (2, 7) and not net.effective().any()


def test_layers_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our type checks
    for u, v in ((NET.u, NET.v[:, :6]), (NET.u, NET.v[0]), (NET.u[0], NET.v)):
        with pytest.raises(BadInput, match=r"u of shape \(d, h\) and v of shape \(k, h\)"):
            LinearNet(u, v)
