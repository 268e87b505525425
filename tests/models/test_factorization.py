import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import Factorization, LinearNet, outputs

RNG = np.random.default_rng(0)
PARTS = [jnp.asarray(RNG.standard_normal(shape)) for shape in ((4, 6), (6, 6), (6, 3))]
X = jnp.asarray(RNG.standard_normal((5, 4)))


def test_map_and_degree():
    net = Factorization(PARTS)
    whole = np.linalg.multi_dot([np.asarray(part) for part in PARTS])
    np.testing.assert_allclose(net.effective(), whole, rtol=1e-12)
    np.testing.assert_allclose(jax.vmap(net)(X), outputs(net, X), rtol=1e-12)
    assert net.degree == 3
    twice = Factorization([2 * part for part in PARTS])
    np.testing.assert_allclose(twice.effective(), 8 * whole, rtol=1e-12)


def test_two_factors_are_the_linear_net():
    u, v = PARTS[0], PARTS[2]
    np.testing.assert_allclose(Factorization([u, v]).effective(), LinearNet(u, v.T).effective(), rtol=1e-14)


def test_at_zero_has_the_shapes_asked_for():
    assert [part.shape for part in Factorization.at_zero((4, 3), depth=3).factors] == [(4, 4), (4, 4), (4, 3)]
    assert [part.shape for part in Factorization.at_zero((4, 3), depth=2, width=9).factors] == [(4, 9), (9, 3)]
    assert [part.shape for part in Factorization.at_zero((4, 3), depth=1).factors] == [(4, 3)]


@pytest.mark.parametrize("wrong", [[], [PARTS[0], PARTS[2].T], [jnp.zeros(3)]])
def test_factors_that_do_not_fit_are_refused(wrong):
    with pytest.raises(BadInput, match="as many rows as the one before has columns"):
        Factorization(wrong)


def test_depth_zero_is_refused():
    with pytest.raises(BadInput, match="at least one matrix"):
        Factorization.at_zero((4, 3), depth=0)
