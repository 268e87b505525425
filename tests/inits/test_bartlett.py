"""The draw at width d + k has the law of the wide net in everything that turning the hidden layer leaves alone."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest
from scipy import stats

from lazyrich.errors import BadInput
from lazyrich.inits import bartlett, gaussian
from lazyrich.models import LinearNet

DIM, OUTPUTS, DRAWS = 3, 2, 1500


def statistics(net):
    """An entry of the map, both norms, the extreme eigenvalues of the imbalance and the least one of the Gram matrix."""
    rows = jnp.concatenate([net.v, net.u])
    signs = jnp.concatenate([-jnp.ones(OUTPUTS), jnp.ones(DIM)])
    # The imbalance has the nonzero spectrum of R^T J R, R the triangular factor of the rows.
    factor = jnp.linalg.qr(rows.T, mode="r").T
    levels = jnp.linalg.eigvalsh(factor.T @ (signs[:, None] * factor))
    least = jnp.linalg.eigvalsh(rows @ rows.T)[0]
    return jnp.stack([net.effective()[2, 1], jnp.sum(net.u**2), jnp.sum(net.v**2), levels[0], levels[-1], least])


def drawn(init):
    return np.asarray(jax.jit(jax.vmap(lambda key: statistics(init(key))))(jr.split(jr.key(0), DRAWS)))


@pytest.mark.parametrize("width", [6, 20])
def test_it_has_the_law_of_the_wide_net(width):
    template = LinearNet.at_zero(dim=DIM, outputs=OUTPUTS, width=width)
    short = drawn(lambda key: bartlett(key, dim=DIM, outputs=OUTPUTS, width=width, scale=0.5))
    wide = drawn(lambda key: gaussian(jr.fold_in(key, 1), template, scale=0.5))
    for name, one, other in zip(("map", "u", "v", "bottom", "top", "least"), short.T, wide.T, strict=True):
        # Twelve tests in all, with fixed seeds.
        assert stats.ks_2samp(one, other).pvalue > 0.005, name


def test_moments_at_ten_million_units():
    width, scale = 10**7, 10**-3.5
    nets = jax.vmap(lambda key: bartlett(key, dim=DIM, outputs=OUTPUTS, width=width, scale=scale))(jr.split(jr.key(3), DRAWS))
    assert nets.u.shape == (DRAWS, DIM, DIM + OUTPUTS)
    # Entries of U V^T have mean 0 and variance h sigma^4; four standard errors of a variance.
    product = np.asarray(jax.vmap(LinearNet.effective)(nets)) * np.sqrt(width)
    assert abs(product.var() - 1) < 4 * np.sqrt(2 / product.size)
    assert abs(product.mean()) < 4 / np.sqrt(product.size)
    # Rows have squared norms sigma^2 chi^2_h: mean 1, variance 2 / h.
    norms = (np.sum(np.asarray(nets.u) ** 2, axis=2) - 1) * np.sqrt(width / 2)
    assert stats.kstest(norms.ravel(), "norm").pvalue > 0.01


def test_below_the_number_of_rows_it_is_the_plain_net():
    found = bartlett(jr.key(0), dim=DIM, outputs=OUTPUTS, width=4, scale=0.5)
    template = LinearNet.at_zero(dim=DIM, outputs=OUTPUTS, width=4)
    assert eqx.tree_equal(found, gaussian(jr.key(0), template, scale=0.5))


def test_the_width_can_be_traced():
    def init(width):
        return bartlett(jr.key(0), dim=DIM, outputs=OUTPUTS, width=width, scale=1.0)

    widths = jnp.array([10, 10**6])
    np.testing.assert_allclose(jax.jit(jax.vmap(init))(widths).u[1], init(10**6).u, rtol=1e-13)
    assert np.linalg.matrix_rank(jnp.concatenate([*jax.jit(init)(4).parameters()])) == 4


def test_a_traced_width_below_the_rows_has_the_law_of_the_plain_net():
    traced = jax.jit(lambda key, width: bartlett(key, dim=DIM, outputs=OUTPUTS, width=width, scale=0.5))
    short = drawn(lambda key: traced(key, 3))
    template = LinearNet.at_zero(dim=DIM, outputs=OUTPUTS, width=5)
    wide = drawn(lambda key: jax.tree.map(lambda part: part.at[:, 3:].set(0), gaussian(jr.fold_in(key, 1), template, scale=0.5)))
    for at, name in enumerate(("map", "u", "v", "bottom", "top")):
        # Five tests, with fixed seeds.
        assert stats.ks_2samp(short[:, at], wide[:, at]).pvalue > 0.005, name


def test_widths_that_make_no_sense_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    for width in (0, 2.5, -3):
        with pytest.raises(BadInput, match="whole number of at least 1"):
            bartlett(jr.key(0), dim=DIM, outputs=OUTPUTS, width=width, scale=1.0)
