import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from scipy import stats

from lazyrich.errors import BadInput
from lazyrich.inits import gaussian
from lazyrich.models import DiagonalNet, LinearNet, LogDiagonalNet

NET = LinearNet.at_zero(dim=40, outputs=10, width=50)


def test_every_entry_is_normal_with_the_scale_asked_for():
    init = gaussian(jr.key(0), NET, scale=0.3)
    assert init.u.shape == NET.u.shape and init.v.shape == NET.v.shape
    drawn = np.concatenate([np.ravel(init.u), np.ravel(init.v)]) / 0.3
    assert stats.kstest(drawn, "norm").pvalue > 0.01
    assert (init.u[:10] != init.v).all()


def test_one_scale_an_array_leaves_the_product_alone():
    one, other = gaussian(jr.key(0), NET, scale=0.1), gaussian(jr.key(0), NET, scale=(0.5, 0.02))
    np.testing.assert_allclose(other.u, 5 * one.u, rtol=1e-14)
    np.testing.assert_allclose(other.effective(), one.effective(), rtol=1e-11, atol=1e-15)


def test_any_model_can_be_placed_and_the_rest_of_it_stays():
    init = gaussian(jr.key(1), DiagonalNet(jnp.zeros(8), jnp.zeros(8), depth=3), scale=1.0)
    assert init.depth == 3 and len(np.unique(np.stack(init.parameters()))) == 16


def test_the_key_and_the_scale_can_be_traced():
    starts = jax.jit(jax.vmap(lambda key, scale: gaussian(key, NET, scale=scale)))(jr.split(jr.key(0), 2), jnp.array([1.0, 2.0]))
    alone = gaussian(jr.split(jr.key(0), 2)[1], NET, scale=2.0)
    np.testing.assert_allclose(starts.v[1], alone.v, rtol=1e-14)


def test_scales_that_fit_no_array_are_refused():
    with pytest.raises(BadInput, match="one for each of the model's 2 arrays"):
        gaussian(jr.key(0), NET, scale=(1.0, 1.0, 1.0))
    with pytest.raises(BadInput, match="only to be read"):
        gaussian(jr.key(0), LogDiagonalNet.at_scale(1.0, dim=8), scale=1.0)
