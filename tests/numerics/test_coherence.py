"""Coherences and isometry constants against their definitions, by plain loops, and on matrices where they are known."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.errors import BadInput
from lazyrich.numerics.coherence import coherence, isometry, largest_sum, mutual_coherence, one_coherence, subsets, unit_columns
from lazyrich.papers.beyond_l2.simulations.frames import chain, simplex

A = np.random.default_rng(0).standard_normal((4, 6))
B = np.random.default_rng(1).standard_normal((4, 3))


def cosine(a, b):
    return abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b)


def test_coherences_by_their_definitions():
    expected = max(cosine(a, b) for a in A.T for b in B.T)
    assert coherence(A, B) == pytest.approx(expected, rel=1e-14)
    assert mutual_coherence(A) == pytest.approx(max(cosine(*pair) for pair in itertools.combinations(A.T, 2)), rel=1e-14)
    for s in range(1, 6):
        sums = [
            sum(cosine(A[:, i], A[:, j]) for j in chosen)
            for i in range(6)
            for chosen in itertools.combinations(set(range(6)) - {i}, s)
        ]
        assert one_coherence(A, s) == pytest.approx(max(sums), rel=1e-14)
    assert one_coherence(A, 9) == one_coherence(A, 5)


@pytest.mark.parametrize("s", [1, 2, 3])
def test_isometry_is_what_sparse_vectors_can_do(s):
    found = isometry(A, s)
    sets = [A[:, list(chosen)] for chosen in itertools.combinations(range(6), s)]
    squares = np.concatenate([np.linalg.svd(part)[1] ** 2 for part in sets])
    assert found == pytest.approx(np.abs(squares - 1).max(), rel=1e-12)


@given(st.integers(0, 1000), st.floats(0.1, 10))
def test_coherence_does_not_see_lengths(seed, scale):
    a = np.random.default_rng(seed).standard_normal((3, 4))
    assert mutual_coherence(scale * a) == pytest.approx(mutual_coherence(a), rel=1e-12)
    np.testing.assert_allclose(np.linalg.norm(unit_columns(scale * a), axis=0), 1, rtol=1e-14)


def test_an_orthonormal_basis_is_an_isometry():
    q = np.linalg.qr(A[:, :4])[0]
    assert mutual_coherence(q) < 1e-14 and max(isometry(q, s) for s in (1, 2, 4)) < 1e-13


def test_columns_of_a_simplex_are_at_one_angle():
    found = simplex(5)
    np.testing.assert_allclose(found.T @ found, np.eye(6) * 1.2 - 0.2, atol=1e-14)


def test_sums_down_columns():
    assert largest_sum(np.array([[1.0, -2.0], [3.0, 1.0]])) == 4.0
    np.testing.assert_array_equal(largest_sum(np.stack([np.eye(2), 3 * np.ones((2, 2))])), [1.0, 6.0])


def test_the_chain_of_two_columns_is_made_of_one_number():
    found = chain(np.array([[1.0], [0.0]]), np.array([[0.6], [0.8]]), 1)
    for name in ("coherence", "column", "row", "operator", "column_all", "row_all", "operator_all"):
        assert found[name] == pytest.approx(0.6, rel=1e-14), name
    assert found["kept"] == pytest.approx(0.36) and found["grown"] == pytest.approx(1.64) and found["bent"] < 1e-14


def test_sets_that_are_not_there_are_refused():
    with pytest.raises(BadInput, match="sets of 7 of n = 6"):
        isometry(A, 7)
    with pytest.raises(BadInput, match="smaller sets"):
        subsets(100, 10)
    with pytest.raises(BadInput, match="zeros at 1"):
        coherence(A, np.eye(4)[:, :2] * [1.0, 0.0])
