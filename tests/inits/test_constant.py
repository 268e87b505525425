import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import constant
from lazyrich.models import DiagonalNet, LogDiagonalNet

NET = DiagonalNet(jnp.arange(1.0, 9.0), jnp.zeros(8), depth=3)


def test_per_coordinate_every_parameter_is_alpha():
    init = constant(NET, 0.7, convention="per_coordinate")
    np.testing.assert_array_equal(np.stack(init.parameters()), np.full((2, 8), 0.7))
    assert init.depth == 3


def test_norm_is_that_of_all_parameters_together():
    init = constant(NET, 0.7, convention="norm")
    np.testing.assert_allclose(np.stack(init.parameters()), np.full((2, 8), 0.7 / 4), rtol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(np.stack(init.parameters())), 0.7, rtol=1e-15)


def test_the_scale_can_be_traced():
    starts = jax.vmap(lambda alpha: constant(NET, alpha, convention="norm"))(jnp.array([1.0, 2.0]))
    np.testing.assert_allclose(starts.u[:, 0], [0.25, 0.5], rtol=1e-15)


def test_an_unknown_convention_is_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our type checks
    with pytest.raises(BadInput, match="'per_coordinate' or 'norm'; got 'per_neuron'"):
        constant(NET, 1.0, convention="per_neuron")  # pyright: ignore[reportArgumentType]


def test_a_net_in_logarithms_is_only_read():
    with pytest.raises(BadInput, match="only to be read"):
        constant(LogDiagonalNet.at_scale(1.0, dim=8), 0.7, convention="per_coordinate")
