import jax.numpy as jnp
import jax.random as jr
import numpy as np

from lazyrich.measures import accuracy, sampled_accuracy
from lazyrich.models import DiagonalNet
from lazyrich.problems import SparseSignLaw, Split

LAW = SparseSignLaw(jnp.array([1.0, -1.0, 1.0]), 5)


def test_accuracy_by_hand():
    net = DiagonalNet(jnp.array([2.0, 1.0]), jnp.array([1.0, 1.0]))  # effective (3, 0)
    data = Split(jnp.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 5.0], [0.0, 1.0]]), jnp.array([1.0, -1.0, -1.0, 1.0]))
    assert accuracy(net, data) == 2.5 / 4  # right, right, wrong, and an output of zero


def test_accuracy_of_nan_is_nan():
    data = Split(jnp.ones((2, 2)), jnp.ones(2))
    assert jnp.isnan(accuracy(DiagonalNet(jnp.full(2, jnp.nan), jnp.ones(2)), data))


def test_sampled_accuracy_without_chance():
    effective = jnp.stack([jnp.pad(LAW.signs, (0, 2)), -jnp.pad(LAW.signs, (0, 2)), jnp.zeros(5)])
    np.testing.assert_array_equal(sampled_accuracy(jr.key(0), LAW, effective, points=60, chunk=20), [1.0, 0.0, 0.5])


def test_sampled_accuracy_of_a_dictator():
    points = 8000
    effective = jnp.array([[1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]])
    expected = sampled_accuracy(jr.key(1), LAW, effective, points=points, chunk=1000)
    deviation = np.sqrt(np.array([0.75 * 0.25, 0.25]) / points)
    assert (np.abs(np.asarray(expected) - [0.75, 0.5]) < 4 * deviation).all()


def test_sampled_accuracy_of_less_than_a_chunk():
    effective = jnp.pad(LAW.signs, (0, 2))[None]
    np.testing.assert_array_equal(sampled_accuracy(jr.key(0), LAW, effective, points=10, chunk=20), [1.0])
