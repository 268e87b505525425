"""Every problem: the same key gives the same numbers, sizes are as asked, the truth and the law fit the data."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import ALL, AbstractLaw, Entries, Problem
from lazyrich.problems.base import AbstractSignLaw

SIZES = {"n": 4, "d": 6, "test": 4}
PLACES = {"d": 6, "train_fraction": 0.2}
MORE = {"sparse_recovery": {"sparsity": 3}, "low_rank_matrix": {"rank": 2}}
MATRICES = ("multiplication_table", "low_rank_matrix")

each = pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
each_law = pytest.mark.parametrize(
    "make", [make for make in ALL if make.__name__ not in MATRICES], ids=lambda make: make.__name__
)
each_matrix = pytest.mark.parametrize("make", [make for make in ALL if make.__name__ in MATRICES], ids=lambda make: make.__name__)


def made(make, seed: int = 0, **sizes) -> Problem:
    usual = PLACES if make.__name__ in MATRICES else SIZES
    return make(jr.key(seed), **(usual | MORE.get(make.__name__, {}) | sizes))


def inputs(data):
    return jnp.stack([data.rows, data.cols]) if isinstance(data, Entries) else data.x


@each_law
def test_sizes(make):
    problem = made(make)
    assert problem.train.x.shape == (4, 6) and problem.train.y.shape == (4,)
    assert problem.test.x.shape == (4, 6) and problem.test.y.shape == (4,)
    assert problem.truth.shape == (6,) and isinstance(problem.law, AbstractLaw)
    assert made(make, test=0).test is None


@each_matrix
def test_known_and_unknown_places_make_the_matrix(make):
    problem = made(make)
    assert (problem.train.n, problem.test.n) == (7, 29) and problem.truth.shape == (6, 6)
    filled = np.full((6, 6), np.nan)
    for data in (problem.train, problem.test):
        assert data.shape == (6, 6)
        filled[data.rows, data.cols] = data.y
    np.testing.assert_array_equal(filled, problem.truth)
    np.testing.assert_array_equal(problem.truth, problem.truth.T)


@each
def test_the_key_decides(make):
    assert eqx.tree_equal(made(make), made(make))
    assert (inputs(made(make).train) != inputs(made(make, seed=1).train)).any()


@each_law
def test_the_test_is_drawn_apart(make):
    problem = made(make)
    assert (problem.train.x != problem.test.x).any()


@each_law
def test_the_number_of_test_points_leaves_the_rest_alone(make):
    some, none = made(make), made(make, test=0)
    assert eqx.tree_equal((some.train, some.truth, some.law), (none.train, none.truth, none.law))


@each
def test_made_inside_a_compiled_program(make):
    plain, compiled = made(make), jax.jit(lambda seed: made(make, seed))(0)
    for expected, found in zip(jax.tree.leaves(plain), jax.tree.leaves(compiled), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)


@each_law
def test_the_truth_answers_for_the_data(make):
    problem = made(make)
    outputs = problem.train.x @ problem.truth
    if isinstance(problem.law, AbstractSignLaw):
        np.testing.assert_array_equal(np.sign(outputs), problem.train.y)
        np.testing.assert_allclose(problem.law.accuracy(problem.truth), 1.0, rtol=0, atol=1e-14)
        np.testing.assert_allclose(problem.law.accuracy(jnp.zeros(6)), 0.5, rtol=0, atol=1e-14)
    else:
        np.testing.assert_allclose(outputs, problem.train.y, rtol=1e-12)
        assert problem.law.excess_risk(problem.truth) == 0


@each_law
def test_the_law_draws_fresh_samples(make):
    fresh = made(make).law.sample(jr.key(5), 4)
    assert fresh.x.shape == (4, 6) and (fresh.x != made(make).train.x).any()


@each_law
@pytest.mark.parametrize("bad", [{"n": 0}, {"n": -1}, {"d": 0}, {"test": -1}], ids=str)
def test_sizes_that_make_no_sense_are_refused(make, bad):
    with pytest.raises(BadInput, match=next(iter(bad))):
        made(make, **bad)


@each_matrix
@pytest.mark.parametrize("bad", [{"d": 0}, {"d": -1}, {"train_fraction": 0.0}, {"train_fraction": 1.1}], ids=str)
def test_fractions_and_sizes_that_make_no_sense_are_refused(make, bad):
    with pytest.raises(BadInput, match=next(iter(bad))):
        made(make, **bad)
