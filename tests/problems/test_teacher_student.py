import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import CircleLaw, circle_teacher


def test_points_lie_on_the_circle_and_labels_are_the_teachers():
    problem = circle_teacher(jr.key(0), n=7, units=3, test=8)
    law = problem.law
    assert isinstance(law, CircleLaw) and problem.train.x.shape == (7, 2) and problem.test.n == 8
    for data in (problem.train, problem.test):
        x, y = np.asarray(data.x), np.asarray(data.y)
        np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1.0, rtol=1e-15)
        np.testing.assert_allclose(y, np.maximum(x @ law.inner, 0) @ law.outer, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(problem.test.x[2], [0.0, 1.0], atol=1e-15)


def test_size_multiplies_the_labels_alone():
    one, ten = (circle_teacher(jr.key(1), n=5, size=size, test=0) for size in (1.0, 10.0))
    np.testing.assert_array_equal(one.train.x, ten.train.x)
    np.testing.assert_allclose(10 * one.train.y, ten.train.y, rtol=1e-15)
    assert one.test is None


def test_fresh_samples_cover_the_circle():
    x = circle_teacher(jr.key(2), n=1).law.sample(jr.key(3), 4_000).x
    angles = np.sort(np.arctan2(x[:, 1], x[:, 0]))
    # The largest gap of 4,000 uniform angles is about 2 pi log(4000)/4000 = 0.013.
    assert np.diff(angles).max() < 0.03
    assert float(jnp.abs(x.mean(0)).max()) < 0.05


@pytest.mark.parametrize("wrong", [{"n": 0}, {"units": 0}, {"test": -1}], ids=str)
def test_counts_are_counts(wrong):
    with pytest.raises(BadInput):
        circle_teacher(jr.key(0), **({"n": 3} | wrong))
