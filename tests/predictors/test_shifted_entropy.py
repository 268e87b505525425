import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from lazyrich.errors import BadInput
from lazyrich.predictors import MinHyperbolicEntropy, MinShiftedEntropy


def q(z):
    return 2 - np.sqrt(4 + z * z) + z * np.arcsinh(z / 2)


def drawn(seed, n=3, d=6):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=n), 0.3 * np.exp(rng.normal(size=(2, d)) / 2)


def test_a_flow_from_two_different_halves_ends_there(split):
    x, y, (u, v) = drawn(0)

    def fall(_, w):
        pull = 4 * x.T @ (x @ (w[:6] ** 2 - w[6:] ** 2) - y)
        return np.concatenate([-pull * w[:6], pull * w[6:]])

    end = solve_ivp(fall, (0, 300), np.concatenate([u, v]), method="LSODA", rtol=1e-10, atol=1e-13).y[:, -1]
    reference = MinShiftedEntropy(u * v, np.log(u / v)).solve(split(x, y))
    # Ten times the flow's own tolerance.
    np.testing.assert_allclose(reference.effective, end[:6] ** 2 - end[6:] ** 2, atol=1e-9)
    assert reference.ok


def test_a_sum_of_products_ends_there_at_every_width(split):
    rng = np.random.default_rng(1)
    x, y, width = rng.normal(size=(3, 6)), rng.normal(size=3), 4
    start = 0.3 * rng.normal(size=(2, 6, width))

    def fall(_, w):
        u, v = w.reshape(2, 6, width)
        pull = 2 * x.T @ (x @ (u * v).sum(axis=1) - y)
        return -np.stack([pull[:, None] * v, pull[:, None] * u]).ravel()

    end = solve_ivp(fall, (0, 300), start.ravel(), method="LSODA", rtol=1e-10, atol=1e-13).y[:, -1].reshape(2, 6, width)
    a, b = (((start[0] + sign * start[1]) ** 2).sum(axis=1) / 2 for sign in (1, -1))
    reference = MinShiftedEntropy(np.sqrt(a * b) / 2, np.log(a / b) / 2).solve(split(x, y))
    np.testing.assert_allclose(reference.effective, (end[0] * end[1]).sum(axis=1), atol=1e-8)


@pytest.mark.parametrize("steep", [0.1, 2.0])
def test_it_agrees_with_a_search_in_the_null_space(split, steep):
    x, y, (u, v) = drawn(2)
    c, theta = u * v, steep * np.log(u / v)
    start, free = np.linalg.pinv(x) @ y, np.linalg.svd(x)[2][3:].T

    def value(z):
        beta = start + free @ z
        return (c * q(beta / c) - theta * beta).sum()

    found = minimize(value, np.zeros(3), tol=1e-12)
    reference = MinShiftedEntropy(c, theta).solve(split(x, y))
    assert reference.ok and reference.value == pytest.approx(found.fun, abs=1e-9)
    np.testing.assert_allclose(reference.effective, start + free @ found.x, atol=1e-5)
    np.testing.assert_allclose(reference.effective, 2 * c * np.sinh(reference.dual @ x + theta), rtol=1e-10)


def test_without_shifts_it_is_the_plain_entropy(planted):
    data, _, _ = planted(0, noise=0.3)
    reference, plain = MinShiftedEntropy(np.full(20, 0.01), np.zeros(20)).solve(data), MinHyperbolicEntropy(0.1).solve(data)
    np.testing.assert_allclose(reference.effective, plain.effective, atol=1e-14)
    assert reference.value == pytest.approx(plain.value, rel=1e-13)


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), log_c=st.floats(-60, 10), steep=st.floats(0, 5))
def test_it_certifies_and_shifts_along_the_rows_change_nothing(split, seed, log_c, steep):
    x, y, (u, v) = drawn(seed)
    c, theta = np.exp(log_c) * u * v, steep * np.log(u / v)
    reference = MinShiftedEntropy(c, theta).solve(split(x, y))
    size = max(1.0, np.exp(log_c + np.abs(theta).max()) / 10)  # what the start itself is
    assert reference.certificate.gap < 1e-9 and reference.certificate.feasibility < 1e-12 * size
    again = MinShiftedEntropy(c, theta + x.T @ np.array([1.0, -2.0, 0.5])).solve(split(x, y))
    np.testing.assert_allclose(again.effective, reference.effective, atol=1e-9 * np.abs(reference.effective).max())


def test_answers_of_zero_are_not_the_zero_answer(split):
    x, _, (u, v) = drawn(3)
    reference = MinShiftedEntropy(u * v, np.log(u / v)).solve(split(x, np.zeros(3)))
    assert reference.ok and np.abs(reference.effective).max() > 1e-3 and np.abs(x @ reference.effective).max() < 1e-15
    still = MinShiftedEntropy(u * v, x.T @ np.ones(3)).solve(split(x, np.zeros(3)))
    assert np.abs(still.effective).max() < 1e-14


def test_inputs_of_zero_leave_the_start_as_it_is(split):
    reference = MinShiftedEntropy([0.5, 2.0], [1.0, -3.0]).solve(split(np.zeros((2, 2)), np.zeros(2)))
    assert reference.ok
    np.testing.assert_allclose(reference.effective, [1.0 * np.sinh(1.0), 4.0 * np.sinh(-3.0)], rtol=1e-10)


def test_a_clash_is_proven(split):
    reference = MinShiftedEntropy(np.ones(2), np.ones(2)).solve(split(np.ones((2, 2)), np.array([1.0, 2.0])))
    assert not reference.ok and abs(reference.certificate.infeasibility @ np.array([1.0, 2.0])) > 0.1


@pytest.mark.parametrize(
    "c, theta", [([1.0, 0.0], [0.0, 0.0]), ([1.0], [0.0, 1.0]), ([1.0], [np.nan]), ([1.0], [700.0]), ([-1.0], [0.0])]
)
def test_bad_starts_are_refused(c, theta):
    with pytest.raises(BadInput):
        MinShiftedEntropy(c, theta)


def test_a_start_of_another_dimension_is_refused(planted):
    with pytest.raises(BadInput, match="c must have one entry for each of the 20 inputs"):
        MinShiftedEntropy(np.ones(3), np.zeros(3)).solve(planted(0)[0])
