"""The inner product of a factorized matrix with matrices."""

import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import Sensing

U, V, X = (jr.normal(jr.key(at), shape) for at, shape in enumerate([(3, 5), (4, 5), (2, 3, 4)]))


def test_it_measures_the_product():
    net = Sensing(U, V)
    np.testing.assert_allclose(jax.vmap(net)(X), jnp.einsum("nij,ij->n", X, net.matrix()), rtol=1e-13)
    np.testing.assert_allclose(Sensing(3 * U, 3 * V)(X[0]), 3**net.degree * net(X[0]), rtol=1e-13)


def test_turning_the_columns_changes_nothing():
    turn = jnp.linalg.qr(jr.normal(jr.key(9), (5, 5)))[0]
    np.testing.assert_allclose(Sensing(U @ turn, V @ turn)(X[1]), Sensing(U, V)(X[1]), rtol=1e-12)


def test_factors_of_different_widths_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(BadInput, match="same number of columns"):
        Sensing(U, V[:, :4])
