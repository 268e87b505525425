import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import balanced

RNG = np.random.default_rng(0)
MAP, X = jnp.asarray(RNG.standard_normal((5, 2))), jnp.asarray(RNG.standard_normal((3, 5)))


def imbalance(u, v):
    return np.asarray(u.T @ u - v.T @ v)


@pytest.mark.parametrize("shape", [(5, 2), (2, 5), (3, 3)], ids=str)
@pytest.mark.parametrize("level", [0.0, 1.5, -1.5])
def test_the_map_is_kept_and_the_imbalance_is_as_asked(shape, level):
    wanted = jnp.asarray(RNG.standard_normal(shape))
    net = balanced(jr.key(0), wanted, width=6, imbalance=level)
    np.testing.assert_allclose(net.effective(), wanted, rtol=0, atol=1e-13)
    levels = np.linalg.eigvalsh(imbalance(net.u, net.v))
    rank = min(shape)
    np.testing.assert_allclose(np.sort(levels), np.sort([level] * rank + [0.0] * (6 - rank)), rtol=0, atol=1e-13)


def test_at_the_least_width_the_imbalance_is_homogeneous():
    net = balanced(jr.key(0), MAP, width=2, imbalance=0.7)
    np.testing.assert_allclose(imbalance(net.u, net.v), 0.7 * np.eye(2), rtol=0, atol=1e-13)


def test_with_inputs_the_part_they_see_is_balanced():
    net = balanced(jr.key(0), MAP, width=6, x=X)
    np.testing.assert_allclose(net.effective(), MAP, rtol=0, atol=1e-13)
    seen = np.linalg.qr(X.T)[0].T @ net.u
    np.testing.assert_allclose(imbalance(seen, net.v), 0, atol=1e-13)
    assert np.abs(imbalance(net.u, net.v)).max() > 0.1
    # The formula of the paper: V = M^(1/4) Q^T with M the square of the part that is seen.
    inner = np.asarray(MAP).T @ np.linalg.pinv(X) @ X @ MAP
    np.testing.assert_allclose(net.v @ net.v.T @ net.v @ net.v.T, inner, rtol=0, atol=1e-12)


def test_a_map_of_zero_has_layers_of_zero_or_one_layer():
    zero = jnp.zeros((3, 2))
    assert not balanced(jr.key(0), zero, width=4).u.any()
    net = balanced(jr.key(0), zero, width=4, imbalance=4.0)
    assert not net.v.any()
    np.testing.assert_allclose(np.linalg.norm(net.u), np.sqrt(8), rtol=1e-13)


def test_mapped_over_imbalances():
    levels = jnp.array([-1.0, 0.0, 2.0])
    nets = jax.jit(jax.vmap(lambda level: balanced(jr.key(0), MAP, width=4, imbalance=level)))(levels)
    np.testing.assert_allclose(jnp.einsum("sdh,skh->sdk", nets.u, nets.v), jnp.stack([MAP] * 3), rtol=0, atol=1e-13)


def test_what_cannot_be_had_is_refused():
    with pytest.raises(BadInput, match="each of the 2 singular values; got width 1"):
        balanced(jr.key(0), MAP, width=1)
    with pytest.raises(BadInput, match="see in every direction"):
        balanced(jr.key(0), MAP, width=3, x=X[:1])
