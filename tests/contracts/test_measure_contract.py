"""Every measure: compiled, mapped, blind to the scale of what it measures."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.measures import ALL, accuracy, cosine, example_drift, feature_drift, frequency_fraction, kernel_drift
from lazyrich.models import DiagonalNet, tangent
from lazyrich.problems import sparse_classification

DATA = sparse_classification(jr.key(0), n=9, d=6, test=0).train

START = DiagonalNet.at_scale(1.0, dim=6, depth=3)
KERNEL, FEATURES = tangent.kernel(START, DATA.x), tangent.features(START, DATA.x)

# Each measure as a function of positive weights u and v of a diagonal net, with the range it lives in.
OF_A_NET = {
    accuracy: (lambda net: accuracy(net, DATA), 0.0, 1.0),
    cosine: (lambda net: cosine(net.effective(), DATA.x[0]), -1.0, 1.0),
    kernel_drift: (lambda net: kernel_drift(net, DATA.x, KERNEL), 0.0, 2.0),
    feature_drift: (lambda net: feature_drift(net, DATA.x, FEATURES), 0.0, 2.0),
    example_drift: (lambda net: example_drift(net, DATA.x, FEATURES), 0.0, 2.0),
    frequency_fraction: (lambda net: frequency_fraction(net.effective()[:, None], count=1), 0.0, 1.0),
}

each = pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.__name__)


@each
def test_it_is_listed(measure):
    assert measure in OF_A_NET, f"say in OF_A_NET how {measure.__name__} reads a net"


@each
def test_in_range_mapped_and_blind_to_scale(measure):
    of_a_net, low, high = OF_A_NET[measure]
    u, v = jnp.asarray(np.random.default_rng(0).uniform(0.2, 2, (2, 7, 6)))
    read = jax.jit(jax.vmap(lambda u, v: of_a_net(DiagonalNet(u, v))))
    reference = read(u, v)
    assert reference.shape == (7,) and len(set(np.asarray(reference).tolist())) > 2
    assert (low <= reference).all() and (reference <= high).all()
    np.testing.assert_allclose(read(3 * u, 3 * v), reference, rtol=0, atol=1e-14)
    np.testing.assert_allclose(reference, [of_a_net(DiagonalNet(u[i], v[i])) for i in range(7)], rtol=0, atol=1e-14)


@pytest.mark.parametrize("measure", [accuracy, cosine], ids=lambda measure: measure.__name__)
def test_the_mirrored_net_reads_the_mirrored_number(measure):
    of_a_net, low, high = OF_A_NET[measure]
    u, v = jnp.asarray(np.random.default_rng(1).uniform(0.2, 2, (2, 6)))
    np.testing.assert_allclose(of_a_net(DiagonalNet(u, v)) + of_a_net(DiagonalNet(v, u)), low + high, atol=1e-14)
    assert of_a_net(DiagonalNet(u, u)) == (low + high) / 2
