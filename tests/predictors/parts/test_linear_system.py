import numpy as np
import pytest

from lazyrich.predictors.parts.linear_system import LinearSystem, cancels, feasibility, relative_gap


@pytest.mark.parametrize(("n", "d"), [(1, 1), (1, 5), (4, 9), (5, 5), (9, 4)])
def test_the_form_is_equivalent(n, d):
    rng = np.random.default_rng(n)
    x = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-3, 3, size=(n, 1))
    y = x @ rng.normal(size=d)
    system = LinearSystem.of(x, y)
    assert system.proof is None
    assert system.rows.shape[0] == min(n, d)
    np.testing.assert_allclose(system.rows @ system.rows.T, np.eye(min(n, d)), atol=1e-12)
    np.testing.assert_allclose(system.lift.T @ x, system.rows, atol=1e-9)
    assert feasibility(x, y, system.rows.T @ system.target) < 1e-12


def test_repeated_and_dependent_rows_leave_the_rank():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3, 7))
    x = np.vstack([x, x[0], 1e5 * x[1] - x[2], np.zeros(7)])
    system = LinearSystem.of(x, x @ np.ones(7))
    assert system.rows.shape == (3, 7)
    assert system.proof is None


def test_a_clash_comes_with_its_proof():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(6, 4))
    y = rng.normal(size=6)
    proof = LinearSystem.of(x, y).proof
    assert np.abs(proof @ x).max() < 1e-13
    assert abs(proof @ y) > 1e-2


def test_a_row_of_zeros_with_an_answer_is_a_clash():
    x = np.array([[1e8, 2e8], [0.0, 0.0]])
    proof = LinearSystem.of(x, np.array([1e8, 1e-9])).proof
    np.testing.assert_array_equal(proof, [0.0, 1.0])


def test_feasibility_sees_rows_of_small_units():
    x = np.array([[1.0, 0.0], [0.0, 1e-12]])
    assert feasibility(x, x @ np.array([1.0, 1.0]), np.array([1.0, 0.0])) > 0.5


@pytest.mark.parametrize(
    ("bound", "value", "gap"), [(0.0, 0.0, 0.0), (0.5, 1.0, 0.5), (1.5, 1.0, 0.5), (1.0, 0.0, np.inf), (np.nan, 1.0, np.inf)]
)
def test_a_gap_counts_on_both_sides(bound, value, gap):
    assert relative_gap(bound, value) == gap


def test_a_small_column_may_decide():
    # The equations hold, by a weight of 1e16 on a column of 1e-8: no mix of them that ignores it is a proof.
    rng = np.random.default_rng(0)
    x = rng.normal(size=(6, 2)) * np.array([1e8, 1e-8])
    assert LinearSystem.of(x, x @ np.array([1e-8, 1e8])).proof is None
    assert LinearSystem.of(x, rng.normal(size=6)).proof is None or cancels(
        LinearSystem.of(x, rng.normal(size=6)).proof, x, share=1e-7
    )
    reference = LinearSystem.of(x[:, :1], x[:, 1]).proof
    assert reference is not None and abs(reference @ x[:, 0]) < 1e-8
