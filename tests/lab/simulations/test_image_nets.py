"""Nets on images: what is carved, trained and read, on tiny files in the formats of the data sets."""

from functools import partial

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.inits import he, he_images
from lazyrich.lab.simulations import image_nets
from lazyrich.lab.simulations.image_nets import carve, descend, errors, evenly, last_layer, make_problem
from lazyrich.models import outputs
from lazyrich.papers.woodworth2020.simulations import photograph_nets
from lazyrich.problems import cifar10

KEY = jr.key(0)


@pytest.fixture
def photographs(tmp_path, monkeypatch):
    """Four records a file in the binary layout of CIFAR10, found like the real ones."""
    generator = np.random.default_rng(0)
    for name in [*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin"]:
        table = generator.integers(0, 256, (4, 3073), dtype=np.uint8)
        table[:, 0] %= 10
        (tmp_path / name).write_bytes(table.tobytes())
    monkeypatch.setenv("LAZYRICH_DATA", str(tmp_path))
    monkeypatch.setitem(image_nets._LOADERS, "cifar10", partial(cifar10, per_file=4))
    image_nets._read.cache_clear()
    yield tmp_path
    image_nets._read.cache_clear()


def test_the_parts_are_disjoint_draws_of_the_key():
    problem = make_problem(KEY, 64)
    parts = carve(KEY, problem, n=900, validation=397, test=100)
    together = np.concatenate([parts.train.x, parts.validation.x])
    assert together.dtype == np.float32
    np.testing.assert_array_equal(np.sort(together.sum(1)), np.sort(np.asarray(problem.train.x, np.float32).sum(1)))
    np.testing.assert_array_equal(parts.test.y, problem.test.y[:100])
    assert carve(KEY, problem, n=9).validation is None
    with pytest.raises(BadInput, match="1297 training images"):
        carve(KEY, problem, n=1297, validation=1)


def test_pixels_name_a_data_set(monkeypatch):
    monkeypatch.delenv("LAZYRICH_DATA", raising=False)
    with pytest.raises(BadInput, match="pixels are 64"):
        make_problem(KEY, 100)
    with pytest.raises(BadInput, match="mnist must lie in a folder .*no folder of data sets"):
        make_problem(KEY, 784)


@pytest.mark.slow
def test_a_run_stops_when_every_image_is_right():
    parts = carve(KEY, make_problem(KEY, 64), n=100, validation=50)
    net = he(jr.fold_in(KEY, 1), (64, 30, 10))
    path = jax.jit(
        lambda: descend(KEY, net, parts.train, learning_rate=1.0, batch=25, when=evenly(600, 20), read={}, stop=True)
    )()
    found = errors(path.end, parts)
    assert found["train"] == 0 and 0 < path.outcome.steps < 600 and path.outcome.steps % 30 == 0
    by_hand = np.argmax(outputs(path.end, parts.test.x), 1) != np.asarray(parts.test.y)
    assert float(found["test"]) == pytest.approx(by_hand.mean())
    assert by_hand.mean() < 0.3  # a hundred images are enough to be far from the 90% of chance
    assert path.end.weights[0].dtype == np.float32


@pytest.mark.parametrize("kind", ["dense", "convolutional"])
def test_the_last_layer_alone_is_the_net_with_the_rest_frozen(kind, photographs):
    if kind == "dense":
        net, parts = he(KEY, (64, 8, 10), alpha=2.0), carve(KEY, make_problem(KEY, 64), n=20, test=7)
    else:
        net, parts = he_images(KEY, (4, "M", 3, "M")), carve(KEY, make_problem(KEY, 3072), n=20)
    head, made = last_layer(net, parts)
    assert made.validation is None and made.test.n == parts.test.n
    # Sums of at most 1,000 terms of size one in single precision, 1e-7 each.
    expected = np.asarray(outputs(net, parts.test.x.astype(float)))
    np.testing.assert_allclose(outputs(head, made.test.x), expected, atol=1e-4 * np.abs(expected).max())


@pytest.mark.slow
def test_photographs_are_trained_and_read(photographs):
    problem = photograph_nets.make_problem(KEY)
    assert problem.train.x.shape == (20, 32, 32, 3)
    sizes = {"n": 20, "test": 3, "channels": 2, "batch": 10, "epochs": 4, "moments": 4}
    found = photograph_nets.simulate(KEY, problem, alpha=1.0, learning_rate=0.01, last_rate=0.1, **sizes)
    assert set(found) == set(photograph_nets.SIMULATION.returns)
    np.testing.assert_allclose(found["epoch"], [0, 1, 2, 3, 4])
    assert found["loss"].shape == found["right"].shape == (5,) and jnp.isfinite(found["loss"]).all()
    assert found["loss"][-1] != found["loss"][0] and found["outcome"] == 0
    assert float(found["train_error"]) == pytest.approx(1 - float(found["right"][-1]))


def test_counts_are_spread_evenly():
    np.testing.assert_array_equal(evenly(1200, 30), np.arange(0, 1201, 40))
    np.testing.assert_array_equal(evenly(3, 30), [0, 1, 2, 3])
