import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from lazyrich.errors import BadInput
from lazyrich.predictors import MinHyperbolicEntropy, MinL1, OptimalDuals, excess_l1, excess_l1_law, planted_rate


def level_by_a_program_in_the_dual(x, signs, on):
    """min t with prices equal to the signs on the support and within t off it, in nu itself."""
    n, off = x.shape[0], x[:, ~on].T
    sides = np.vstack([np.hstack([off, -np.ones((len(off), 1))]), np.hstack([-off, -np.ones((len(off), 1))])])
    equal = np.hstack([x[:, on].T, np.zeros((on.sum(), 1))])
    cost, bounds = np.append(np.zeros(n), 1.0), [(None, None)] * (n + 1)
    return linprog(cost, sides, np.zeros(len(sides)), equal, signs[on], bounds=bounds).fun


@pytest.mark.parametrize("seed", range(3))
def test_the_level_is_that_of_a_program_in_the_dual(planted, seed):
    data, x, _ = planted(seed, n=12, d=24, sparsity=3)
    answer = MinL1().solve(data).effective
    signs = np.where(np.abs(answer) > 1e-9, np.sign(answer), 0.0)
    level = OptimalDuals.of(data).level()[0]
    assert level == pytest.approx(level_by_a_program_in_the_dual(x, signs, signs != 0), abs=1e-8)
    assert planted_rate(data) == pytest.approx(2 * (1 - level), abs=1e-15)


@pytest.mark.parametrize("depth", [3, 4, 10])
def test_the_center_is_found_by_a_plain_search_too(planted, depth):
    data, _, _ = planted(0, n=7, d=12, sparsity=3)
    duals, power = OptimalDuals.of(data), 2 / (depth - 2)

    def barrier(z):
        prices = duals.prices + z @ duals.free
        return ((1 - prices) ** -power + (1 + prices) ** -power).sum() if np.abs(prices).max() < 1 else np.inf

    start = duals.level()[1]
    options = {"maxiter": 20_000, "maxfev": 20_000, "xatol": 1e-11, "fatol": 1e-13}
    found = minimize(barrier, start, method="Nelder-Mead", options=options)
    found = minimize(barrier, found.x, method="Nelder-Mead", options=options)
    np.testing.assert_allclose(duals.center(depth), duals.prices + found.x @ duals.free, atol=1e-6)


def test_a_full_support_leaves_one_dual(planted):
    data, x, _ = planted(0, n=8, d=20, noise=0.3)
    duals, reference = OptimalDuals.of(data), MinL1().solve(data)
    assert duals.free.shape[0] == 0 and duals.off.sum() == 12
    np.testing.assert_allclose(duals.center(4), (reference.dual @ x)[duals.off], atol=1e-9)


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("depth", [4, 5, 10])
def test_the_excess_norm_obeys_its_law_where_it_has_settled(planted, depth, noise):
    settled, draws = 0, 4 if depth == 4 else 2
    for seed in range(draws):
        data, _, _ = planted(seed, n=20, d=40, sparsity=4, noise=noise)
        law = excess_l1_law(data, depth)
        # Planted data hold their zeros to 1e-16 only: alpha^D stays four digits above.
        alphas = [1e-12 ** (1 / depth) * 2, 1e-12 ** (1 / depth)]
        path = MinHyperbolicEntropy(1.0, depth=depth).path(data, alphas)
        first, last = (excess_l1(data, reference.effective) / a**depth / law for a, reference in zip(alphas, path, strict=True))
        if abs(last - first) < 0.01 * last:
            settled += 1
            assert last == pytest.approx(1.0, abs=0.02)
    assert settled >= draws - 1


def test_a_vertex_of_the_duals_does_not_give_the_law(planted):
    # The control: prices of least maximum, not of the center, miss the measured coefficient.
    data, _, _ = planted(0, n=20, d=40, sparsity=4)
    duals, alpha = OptimalDuals.of(data), 1e-3
    measured = excess_l1(data, MinHyperbolicEntropy(alpha, depth=4).solve(data).effective) / alpha**4
    prices = np.abs(duals.prices + duals.level()[1] @ duals.free)
    other = (((1 - prices) ** -2 - (1 + prices) ** -2) * (1 - prices)).sum()
    assert abs(other / measured - 1) > 0.02
    assert excess_l1_law(data, 4) == pytest.approx(measured, rel=2e-3)


def test_depth_2_falls_at_the_planted_rate(planted):
    near = 0
    for seed in range(10):
        data, _, _ = planted(seed, n=20, d=40, sparsity=4)
        alphas = [1e-8, 1e-10]
        path = MinHyperbolicEntropy(1.0).path(data, alphas)
        high, low = (excess_l1(data, reference.effective) for reference in path)
        near += abs(np.log(high / low) / np.log(100) / planted_rate(data) - 1) < 0.05
    assert near >= 8


def test_the_excess_is_the_difference_of_the_norms(planted):
    data, _, _ = planted(3, n=10, d=30, noise=0.2)
    reference, least = MinHyperbolicEntropy(0.1).solve(data), MinL1().solve(data)
    plain = np.abs(reference.effective).sum() - least.value
    assert excess_l1(data, reference.effective) == pytest.approx(plain, rel=1e-9)
    assert excess_l1(data, least.effective) == pytest.approx(0, abs=1e-12)


def test_duplicated_columns_leave_no_room(split):
    x = np.random.default_rng(0).normal(size=(4, 6))
    data = split(np.hstack([x, x[:, :1]]), x[:, 0])
    assert planted_rate(data) == 0 and excess_l1_law(data, 3) == np.inf


def test_zero_answers_and_clashes_are_refused(split):
    for x, y in ((np.eye(2, 3), np.zeros(2)), (np.ones((2, 3)), np.array([1.0, 2.0]))):
        with pytest.raises(BadInput, match="the duals of least l1 need equations"):
            planted_rate(split(x, y))


@pytest.mark.parametrize("depth", [2, 1])
def test_the_law_begins_at_depth_3(planted, depth):
    with pytest.raises(BadInput, match="depth must be a whole number from 3"):
        excess_l1_law(planted(0)[0], depth)
