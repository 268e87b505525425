import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import ReluLaw, relu_teacher

SIZES = {"n": 6, "d": 4, "units": 5, "outputs": 3, "test": 7}


def test_sizes_and_answers():
    problem = relu_teacher(jr.key(0), **SIZES)
    law = problem.law
    assert isinstance(law, ReluLaw) and problem.test.x.shape == (7, 4) and problem.train.y.shape == (6, 3)
    for data in (problem.train, problem.test):
        np.testing.assert_allclose(data.y, np.maximum(data.x @ law.inner, 0) @ law.outer, rtol=1e-13)
    assert relu_teacher(jr.key(0), **SIZES | {"test": 0}).test is None


def test_slopes_are_derivatives():
    problem = relu_teacher(jr.key(1), **SIZES)
    found = jax.vmap(jax.jacfwd(lambda x: problem.law.targets(x[None])[0]))(problem.train.x)
    np.testing.assert_allclose(problem.law.slopes(problem.train.x), found, rtol=1e-13, atol=1e-15)


def test_weights_have_the_sizes_of_the_paper():
    law = relu_teacher(jr.key(2), n=1, d=40, units=50, outputs=60).law
    np.testing.assert_allclose(jnp.std(law.inner), 1, rtol=0.05)
    np.testing.assert_allclose(jnp.std(law.outer) * 50, 1, rtol=0.05)


@pytest.mark.parametrize("name", SIZES)
def test_counts_are_counts(name):
    with pytest.raises(BadInput, match=name):
        relu_teacher(jr.key(0), **SIZES | {name: -1})
