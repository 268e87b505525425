import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import identity, noisy_identity
from lazyrich.models import DiagonalNet, SymmetricMap, SymmetricNet

NET = SymmetricNet(jnp.ones((6, 4)), jnp.ones((6, 4)))


def test_every_matrix_is_alpha_times_the_identity():
    init = identity(NET, 0.7)
    np.testing.assert_array_equal(np.stack(init.parameters()), [0.7 * np.eye(6, 4)] * 2)
    assert not np.asarray(init.effective()).any()


def test_the_scale_can_be_traced():
    starts = jax.vmap(lambda alpha: identity(NET, alpha))(jnp.array([1.0, 2.0]))
    np.testing.assert_array_equal(starts.u[:, 1, 1], [1.0, 2.0])


def test_noise_is_a_standard_deviation_and_differs_between_factors():
    large = SymmetricNet(jnp.zeros((60, 60)), jnp.zeros((60, 60)))
    noise = np.stack(noisy_identity(jr.key(0), large, 2.0, noise=0.1).parameters()) - 2.0 * np.eye(60)
    assert abs(noise.var() / 0.01 - 1) < 4 * np.sqrt(2 / noise.size)
    assert abs(np.corrcoef(noise[0].ravel(), noise[1].ravel())[0, 1]) < 4 / 60
    again = noisy_identity(jr.key(0), large, 2.0, noise=0.1)
    np.testing.assert_array_equal(np.stack(again.parameters()) - 2.0 * np.eye(60), noise)


def test_without_noise_it_is_the_identity():
    np.testing.assert_array_equal(noisy_identity(jr.key(0), NET, 0.7, noise=0.0).u, identity(NET, 0.7).u)


def test_bad_input():
    with pytest.raises(BadInput, match="parameters are matrices"):
        identity(DiagonalNet.at_scale(1.0, dim=3), 0.5)
    with pytest.raises(BadInput, match="only to be read"):
        identity(SymmetricMap.at_scale(1.0, dim=3), 0.5)
    with pytest.raises(BadInput, match="noise >= 0"):
        noisy_identity(jr.key(0), NET, 0.5, noise=-0.1)
