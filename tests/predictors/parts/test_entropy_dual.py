import numpy as np
import pytest

from lazyrich.numerics.entropy_links import PowerLink, SinhLink
from lazyrich.predictors.parts.entropy_dual import EntropyDual

LEVELS = [50.0, 2.0, -3.0, -3.0, -40.0, -300.0, -3000.0]
LINKS = [SinhLink(), PowerLink(3), PowerLink(4), PowerLink(10)]
each = pytest.mark.parametrize("link", LINKS, ids=["2", "3", "4", "10"])


def dual(link, n=4, d=9, seed=0, shift=None):
    rng = np.random.default_rng(seed)
    rows = np.linalg.qr(rng.normal(size=(d, n)))[0].T
    target = rng.normal(size=n)
    return EntropyDual(rows, target / np.linalg.norm(target), np.zeros(d), link, shift)


@each
def test_the_sweep_meets_both_conditions_at_every_level(link):
    problem = dual(link)
    for point in problem.sweep(LEVELS):
        assert np.linalg.norm(problem.target - problem.rows @ point.effective) < 1e-12
        assert problem.doubt(point) < 1e-12
        # The prices of the answer, recomputed, are those of the dual, to the rounding of one.
        sigma = link.sigma(point.effective, np.full(9, point.level))
        largest = max(1.0, np.abs(sigma).max() if link == SinhLink() else 1.0)
        seen, prices = point.effective != 0, problem.duals(point)[-1] @ problem.rows  # others have underflowed
        np.testing.assert_allclose(link.price(sigma)[seen], prices[seen], atol=1e-11 * largest)


@each
def test_the_levels_are_those_asked_for(link):
    assert [point.level for point in dual(link).sweep(LEVELS)] == LEVELS


def test_a_sweep_and_a_single_level_agree():
    problem = dual(PowerLink(5))
    along = list(problem.sweep(LEVELS))[4]
    alone = next(problem.sweep([-40.0]))
    np.testing.assert_allclose(along.effective, alone.effective, atol=1e-12)


@pytest.mark.parametrize("steep", [0.1, 1.0, 30.0])
def test_shifts_are_met(steep):
    shift = steep * np.random.default_rng(1).normal(size=9)
    problem = dual(SinhLink(), shift=shift)
    for point in problem.sweep([3.0, -3.0, -30.0]):
        size = np.abs(point.effective).max()  # a steep shift makes answers far larger than the target
        assert np.linalg.norm(problem.target - problem.rows @ point.effective) < 1e-13 * size
        prices = problem.duals(point)[-1] @ problem.rows + shift
        solution = SinhLink().value(prices, np.full(9, point.level))
        np.testing.assert_allclose(solution, point.effective, atol=1e-11 * size, rtol=1e-9)


def test_fewer_nonzeros_than_equations_keep_all_levels_exact():
    # The curvature has two sizes, alpha^D and alpha^(2-D): a Cholesky factor alone loses the smaller one.
    problem = dual(PowerLink(4), n=6, d=15)
    truth = np.zeros(15)
    truth[:2] = 1.0
    target = problem.rows @ truth
    planted = EntropyDual(problem.rows, target / np.linalg.norm(target), np.zeros(15), PowerLink(4))
    for point in planted.sweep([2.0, -10.0, -20.0, -25.0]):
        off = PowerLink(4).value(np.arctanh(planted.duals(point)[-1] @ planted.rows), np.full(15, point.level))[2:]
        np.testing.assert_allclose(point.effective[2:], off, rtol=1e-4, atol=1e-14)
