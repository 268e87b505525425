"""Rectangular matrices of low rank: known and unknown places make the matrix."""

import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import low_rank_product


def test_places_and_rank():
    problem = low_rank_product(jr.key(0), rows=4, cols=7, rank=2, n=10)
    filled = np.full((4, 7), np.nan)
    for data in (problem.train, problem.test):
        filled[data.rows, data.cols] = data.y
    np.testing.assert_array_equal(filled, problem.truth)
    assert problem.train.n == 10 and np.linalg.matrix_rank(problem.truth) == 2
    assert low_rank_product(jr.key(0), rows=3, cols=3, n=9).test is None


def test_entries_have_variance_one_at_any_rank():
    for rank in (1, 8):
        truth = np.asarray(low_rank_product(jr.key(1), rows=300, cols=200, rank=rank, n=1).truth)
        # The variance of a row's factor is 1 +- sqrt(2/300): four deviations of the product of both.
        assert abs(truth.var() - 1) < 4 * np.sqrt(2 / 300 + 2 / 200)


@pytest.mark.parametrize("bad", [{"n": 13}, {"rank": 4}, {"n": 0}])
def test_sizes_that_do_not_fit_are_refused(bad):
    with pytest.raises(BadInput):
        low_rank_product(jr.key(0), **({"rows": 3, "cols": 4, "rank": 1, "n": 5} | bad))
