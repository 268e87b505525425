import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest
from scipy.signal import correlate

from lazyrich.errors import BadInput
from lazyrich.inits import he_images
from lazyrich.models import VGG11, ConvNet, outputs

PLAN = (4, "M", 5, 6, "M")
X = jnp.asarray(np.random.default_rng(0).random((3, 8, 8, 2)))


def small(**words):
    return he_images(jr.key(0), PLAN, size=8, colors=2, classes=7, **words)


def by_hand(net, image):
    """The same net from SciPy's correlations and a reshape for the pools."""
    picture, kernels = np.moveaxis(np.asarray(image), -1, 0), iter(net.kernels)
    for step in net.plan:
        if step == "M":
            channels, rows, columns = picture.shape
            picture = picture.reshape(channels, rows // 2, 2, columns // 2, 2).max((2, 4))
        else:
            kernel = np.asarray(next(kernels))
            maps = [sum(correlate(c, k, mode="same") for c, k in zip(picture, out, strict=True)) for out in kernel]
            picture = np.maximum(np.stack(maps), 0)
    return picture.reshape(-1) @ np.asarray(net.head)


def test_it_is_correlations_and_pools_by_hand():
    net = small()
    found = outputs(net, X)
    assert found.shape == (3, 7)
    np.testing.assert_allclose(found, [by_hand(net, image) for image in X], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("c", [0.3, 4.0])
def test_homogeneous_of_its_layers(c):
    net = small()
    assert net.degree == 4 and len(jax.tree.leaves(net.parameters())) == 4
    scaled = jax.tree.map(lambda part: c * part, net)
    np.testing.assert_allclose(outputs(scaled, X), c**4 * outputs(net, X), rtol=1e-11)
    np.testing.assert_allclose(outputs(small(alpha=c), X), c**4 * outputs(net, X), rtol=1e-11)


def test_the_papers_net_has_eight_layers_and_ends_at_one_pixel():
    net = jax.eval_shape(lambda: ConvNet.at_zero())
    assert [part.shape[0] for part in net.kernels] == [64, 128, 256, 256, 512, 512, 512]
    assert net.head.shape == (512, 10) and net.plan == VGG11
    count = sum(part.size for part in jax.tree.leaves(net))
    assert count == 9 * (3 * 64 + 64 * 128 + 128 * 256 + 256**2 + 256 * 512 + 2 * 512**2) + 5120


def test_every_layer_has_the_deviation_of_he():
    net = he_images(jr.key(1), (64, "M", 128), size=4, colors=32, alpha=2.0)
    for part, n_in in ((net.kernels[0], 9 * 32), (net.kernels[1], 9 * 64), (net.head, 4 * 128)):
        assert np.abs(part).max() <= 2 * np.sqrt(6 / n_in)
        assert np.std(part) == pytest.approx(2 * np.sqrt(2 / n_in), rel=0.03)  # 5,000 draws of the head: 0.6 %


def test_it_learns():
    net, answers = small(), jnp.array([0, 3, 6])

    def loss(net):
        return -jnp.mean(jax.nn.log_softmax(outputs(net, X))[jnp.arange(3), answers])

    step = eqx.filter_jit(lambda net: eqx.apply_updates(net, jax.tree.map(lambda g: -0.02 * g, jax.grad(loss)(net))))
    before = loss(net)
    for _ in range(5):
        net = step(net)
    assert loss(net) < before


def test_layers_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    net = small()
    for kernels, head in ((net.kernels[:2], net.head), (net.kernels, net.head[0]), (net.kernels[::-1], net.head)):
        with pytest.raises(BadInput, match="a kernel .out, in, 3, 3. for each number"):
            ConvNet(kernels, head, net.plan)
    with pytest.raises(BadInput, match="at least one pixel"):
        ConvNet.at_zero((4, "M", "M", "M", "M"), size=8)
    with pytest.raises(BadInput, match="at least one convolution"):
        ConvNet.at_zero(("M",), size=8)
