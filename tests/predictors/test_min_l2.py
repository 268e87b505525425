from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.predictors import MinL2


@pytest.mark.parametrize(("n", "d"), [(1, 1), (1, 6), (5, 12), (6, 6), (30, 100)])
def test_it_is_the_pseudo_inverse(split, n, d):
    rng = np.random.default_rng(n)
    x = rng.normal(size=(n, d))
    y = x @ rng.normal(size=d)
    reference = MinL2().solve(split(x, y))
    assert reference.ok
    assert reference.certificate.feasibility < 1e-13 and reference.certificate.gap < 1e-13
    np.testing.assert_allclose(reference.effective, np.linalg.pinv(x) @ y, atol=1e-10)
    assert reference.value == pytest.approx(np.linalg.norm(reference.effective), rel=1e-14)
    np.testing.assert_allclose(reference.predict(x), y, atol=1e-10)


def test_weights_scale_the_coordinates(split):
    rng = np.random.default_rng(0)
    x, y, weights = rng.normal(size=(4, 9)), rng.normal(size=4), 10.0 ** rng.uniform(-2, 2, size=9)
    reference = MinL2(weights=weights).solve(split(x, y))
    inverse = x / weights
    np.testing.assert_allclose(reference.effective, inverse.T @ np.linalg.solve(x @ inverse.T, y), rtol=1e-9, atol=1e-12)
    assert reference.ok
    assert reference.value == pytest.approx(np.sqrt(np.sum(weights * reference.effective**2)), rel=1e-12)


def test_one_sample_in_closed_form(split):
    x, y, weights = np.array([[3.0, 4.0]]), np.array([10.0]), np.array([1.0, 4.0])
    np.testing.assert_allclose(MinL2().solve(split(x, y)).effective, [1.2, 1.6])
    reference = MinL2(weights=weights).solve(split(x, y))
    assert reference.value == pytest.approx(10 / np.sqrt(9 + 16 / 4), rel=1e-14)


@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6), repeats=st.integers(0, 3))
def test_invariances(split, seed, log_scale, repeats):
    rng = np.random.default_rng(seed)
    x, y, scale = rng.normal(size=(5, 9)), rng.normal(size=5), 10.0**log_scale
    reference = MinL2().solve(split(x, y))
    rows, columns = rng.permutation(5), rng.permutation(9)
    again = np.concatenate([rows, rng.integers(0, 5, size=repeats)])
    moved = MinL2().solve(split(x[again][:, columns], scale * y[again]))
    assert reference.ok and moved.ok
    np.testing.assert_allclose(moved.effective, scale * reference.effective[columns], atol=1e-10 * scale)
    assert moved.value == pytest.approx(scale * reference.value, rel=1e-10)


def test_more_samples_than_inputs(split):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(9, 4))
    reference = MinL2().solve(split(x, x @ np.arange(4.0)))
    assert reference.ok
    np.testing.assert_allclose(reference.effective, np.arange(4.0), atol=1e-12)


def test_dependent_columns_and_badly_scaled_ones(split):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(6, 2)) @ rng.normal(size=(2, 15))
    assert MinL2().solve(split(x, x @ rng.normal(size=15))).ok
    x = rng.normal(size=(6, 15)) * 10.0 ** rng.uniform(-3, 3, size=15)
    assert MinL2().solve(split(x, rng.normal(size=6))).ok


def test_clashing_equations_are_proven(split):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(9, 4)), rng.normal(size=9)
    reference = MinL2(weights=[1.0, 2.0, 3.0, 4.0]).solve(split(x, y))
    proof = reference.certificate.infeasibility
    assert not reference.ok and reference.value == np.inf and not reference.effective.any()
    assert np.abs(proof @ x).max() < 1e-13 and abs(proof @ y) > 1e-2


def test_zero_answers_give_zero(split):
    reference = MinL2().solve(split(np.eye(2, 3), np.zeros(2)))
    assert reference.ok and reference.value == 0 and not reference.effective.any()


def exact_norm(x, y):
    """The least norm of rational equations with independent rows, in exact arithmetic."""
    rows, right = [[Fraction(v) for v in row] for row in x], [Fraction(v) for v in y]
    table = [[sum(a * b for a, b in zip(p, q, strict=True)) for q in rows] + [t] for p, t in zip(rows, right, strict=True)]
    for i in range(len(table)):
        for j in range(len(table)):
            if j != i:
                share = table[j][i] / table[i][i]
                table[j] = [a - share * b for a, b in zip(table[j], table[i], strict=True)]
    return float(sum(t * line[-1] / line[i] for i, (t, line) in enumerate(zip(right, table, strict=True)))) ** 0.5


@pytest.mark.parametrize("seed", range(4))
def test_columns_over_sixteen_powers_of_ten_are_exact(split, seed):
    rng = np.random.default_rng(seed)
    for n, d in ((5, 12), (6, 6)):
        x = rng.normal(size=(n, d))
        y, scaled = x @ rng.normal(size=d), x * 10.0 ** rng.uniform(-8, 8, size=d)
        reference = MinL2().solve(split(scaled, y))
        assert reference.ok and reference.value == pytest.approx(exact_norm(scaled, y), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_answers_of_any_size(split, scale):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(4, 9)), rng.normal(size=4)
    reference = MinL2().solve(split(x, scale * y))
    assert reference.ok and reference.value == pytest.approx(scale * MinL2().solve(split(x, y)).value, rel=1e-12)
