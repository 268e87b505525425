from fractions import Fraction

import numpy as np
import pytest

from lazyrich.predictors.parts.weighted_rows import WeightedRows


def exact(rows, weights, missed, error):
    """The same equations in rational numbers, by elimination."""
    rows, weights = [[Fraction(v) for v in row] for row in rows], [Fraction(v) for v in weights]
    error, n, d = [Fraction(v) for v in error], len(rows), len(weights)
    table = []
    for i in range(n):
        left = [sum(rows[i][k] * weights[k] * rows[j][k] for k in range(d)) for j in range(n)]
        table.append([*left, Fraction(missed[i]) - sum(rows[i][k] * weights[k] * error[k] for k in range(d))])
    for i in range(n):
        for j in range(n):
            if j != i:
                factor = table[j][i] / table[i][i]
                table[j] = [a - factor * b for a, b in zip(table[j], table[i], strict=True)]
    mu = [table[i][n] / table[i][i] for i in range(n)]
    change = [weights[k] * (error[k] + sum(mu[i] * rows[i][k] for i in range(n))) for k in range(d)]
    return np.array([float(v) for v in mu]), np.array([float(v) for v in change])


@pytest.mark.parametrize("spread", [0, 4, 12, 20])
def test_it_agrees_with_rational_arithmetic(spread):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3, 7))
    weights = np.array([1.0, 0.3, *10.0**-spread * rng.uniform(0.1, 1, size=5)])
    missed, error = rng.normal(size=3), rng.normal(size=7)
    mu, change = WeightedRows(rows, weights).solve(missed, error)
    true_mu, true_change = exact(rows, weights, missed, error)
    # Two heavy coordinates for three equations: the third has the light ones alone, and its digits survive.
    np.testing.assert_allclose(mu, true_mu, rtol=1e-8)
    np.testing.assert_allclose(change, true_change, atol=1e-9 * np.abs(true_change).max())


def test_no_step_is_made_for_rounding():
    rows, weights = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.5]]), np.array([1.0, 1e-20, 1e-20])
    _, change = WeightedRows(rows, weights).solve(np.array([1.0, 1.0 + 1e-15]))
    np.testing.assert_allclose(change, [1.0, 0.0, 0.0], atol=1e-19)
    _, change = WeightedRows(rows, weights).solve(np.array([1.0, 1.0 + 1e-12]))
    np.testing.assert_allclose(rows @ change, [1.0, 1.0 + 1e-12], atol=1e-15)


def test_coordinates_without_weight_stay():
    rows = np.random.default_rng(0).normal(size=(3, 5))
    mu, change = WeightedRows(rows, np.array([1.0, 1.0, 0.0, 0.0, 0.0])).solve(np.ones(3))
    assert np.isfinite(mu).all() and not change[2:].any()
