import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import low_rank_matrix, multiplication_table


def places(entries) -> set[tuple[int, int]]:
    return set(zip(np.asarray(entries.rows).tolist(), np.asarray(entries.cols).tolist(), strict=True))


def test_the_table_of_figure_3():
    problem = multiplication_table(jr.key(0), d=97)
    assert problem.train.n == 470 and problem.test.n == 97**2 - 470
    assert places(problem.train) | places(problem.test) == {(i, j) for i in range(97) for j in range(97)}
    np.testing.assert_allclose(problem.truth[5, 7], 35 / 97**2, rtol=1e-15)
    # The paper's zero matrix misses the test by 0.108: the mean of i^2 j^2 / d^4, up to the draw of five percent.
    assert abs(np.mean(problem.test.y**2) - 0.108) < 2e-3


def test_the_low_rank_matrix_has_its_rank_and_signs():
    truth = np.asarray(low_rank_matrix(jr.key(1), d=40, rank=5, negative=2).truth)
    np.testing.assert_array_equal(truth, truth.T)
    values = np.sort(np.linalg.eigvalsh(truth))
    assert (values[:2] < -1).all() and (values[-3:] > 1).all() and np.abs(values[2:-3]).max() < 1e-12
    off = truth[~np.eye(40, dtype=bool)]
    # Variance one, from 5 terms of rank one over 40 coordinates: the mean square is within 4 sqrt(8 / (5 * 40)).
    assert abs(np.mean(off**2) - 1) < 4 * np.sqrt(8 / 200)


def test_all_entries_leave_nothing_to_test():
    assert multiplication_table(jr.key(0), d=3, train_fraction=1.0).test is None


@pytest.mark.parametrize("fraction", [0.0, 1.5, -0.1, float("nan"), 0.01])
def test_a_fraction_without_entries_is_refused(fraction):
    with pytest.raises(BadInput, match="a train_fraction in"):
        multiplication_table(jr.key(0), d=5, train_fraction=fraction)


@pytest.mark.parametrize("bad", [{"rank": 0}, {"rank": 7}, {"negative": 3}, {"negative": -1}], ids=str)
def test_ranks_that_make_no_sense_are_refused(bad):
    with pytest.raises(BadInput):
        low_rank_matrix(jr.key(0), **({"d": 6, "rank": 2} | bad))
