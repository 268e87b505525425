import jax.numpy as jnp
import jax.random as jr
import numpy as np

from lazyrich.inits import gaussian, orthogonal
from lazyrich.models import LinearNet

RNG = np.random.default_rng(0)
X = jnp.asarray(RNG.standard_normal((3, 6)))


def parts(net, x):
    seen = np.linalg.pinv(x) @ x
    return seen @ net.u, net.u - seen @ net.u


def test_what_is_not_seen_is_orthogonal_to_what_moves():
    net = gaussian(jr.key(0), LinearNet.at_zero(dim=6, outputs=2, width=9), scale=1.0)
    # Two inputs that say the same: the rank is what counts.
    for x in (X, jnp.concatenate([X[:2], X[:1]])):
        init = orthogonal(net, x)
        seen, unseen = parts(init, x)
        np.testing.assert_allclose(seen, parts(net, x)[0], rtol=0, atol=1e-13)
        np.testing.assert_allclose(np.concatenate([init.v, seen]) @ unseen.T, 0, atol=1e-13)
        np.testing.assert_array_equal(init.v, net.v)
        assert np.linalg.norm(unseen) > 1


def test_without_room_nothing_unseen_is_left():
    net = gaussian(jr.key(0), LinearNet.at_zero(dim=6, outputs=2, width=5), scale=1.0)
    np.testing.assert_allclose(parts(orthogonal(net, X), X)[1], 0, atol=1e-13)
