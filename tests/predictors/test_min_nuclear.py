import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.predictors import MinNuclear
from lazyrich.problems import Entries, Split, multiplication_table


def entries(places, y, shape) -> Entries:
    rows, cols = np.asarray(places).T
    return Entries(jnp.asarray(rows), jnp.asarray(cols), jnp.asarray(np.asarray(y, float)), shape)


def agrees(reference, value):
    """Certified, and at the value of an interior point method with its tolerance of 1e-8 on parts of the gap."""
    assert reference.ok and reference.certificate.gap < 1e-9
    assert reference.value == pytest.approx(value, rel=1e-6)
    assert reference.value == pytest.approx(np.linalg.norm(reference.effective, "nuc"), rel=1e-12)


@pytest.mark.parametrize("noise", [0.0, 0.5])
@pytest.mark.parametrize("shape", [(6, 6), (5, 9), (12, 12)])
def test_completion_agrees_with_a_cone_program(completion, cone, shape, noise):
    data, _ = completion(1, shape, rank=2, share=0.55, noise=noise)
    reference = MinNuclear().solve(data)
    agrees(reference, cone(data)[0])
    prices = np.zeros(shape)
    prices[np.asarray(data.rows), np.asarray(data.cols)] = reference.dual
    assert np.linalg.norm(prices, 2) <= 1 + 1e-12
    assert reference.dual @ np.asarray(data.y) == pytest.approx(reference.value, rel=1e-9)


@pytest.mark.parametrize(("shape", "n"), [((5, 6), 12), ((7, 4), 20), ((3, 3), 9)])
def test_sensing_agrees_with_a_cone_program(sensing, cone, shape, n):
    data, _ = sensing(2, shape, rank=2, n=n)
    agrees(MinNuclear().solve(data), cone(data)[0])


@pytest.mark.slow
@pytest.mark.parametrize("rank", [1, 4])
def test_larger_completion_agrees_with_a_cone_program(completion, cone, rank):
    data, _ = completion(3, (20, 20), rank=rank, share=0.4)
    agrees(MinNuclear().solve(data), cone(data)[0])


def test_a_planted_matrix_is_recovered(completion):
    data, truth = completion(0, (30, 30), rank=2, share=0.5)
    reference = MinNuclear().solve(data)
    # The distance is a small multiple of the gap where the recovery is strict.
    assert reference.ok and np.linalg.norm(reference.effective - truth) <= 1e-7 * np.linalg.norm(truth)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_hundred_by_a_hundred(completion, seed):
    data, truth = completion(seed, (100, 100), rank=3, share=0.35)
    reference = MinNuclear().solve(data)
    assert reference.ok and reference.value == pytest.approx(np.linalg.norm(truth, "nuc"), rel=1e-6)


@pytest.mark.slow
def test_where_recovery_just_fails(completion):
    # The rank of the answer is several times that of the planted matrix: its smallest singular values are hard to find.
    data, truth = completion(1, (100, 100), rank=5, share=0.3)
    reference = MinNuclear().solve(data)
    assert reference.ok and reference.value < np.linalg.norm(truth, "nuc") * (1 - 1e-6)


def test_one_measurement_takes_the_best_price():
    x = np.random.default_rng(0).normal(size=(4, 3))
    left, sizes, right = np.linalg.svd(x)
    reference = MinNuclear().solve(Split(jnp.asarray(x[None]), jnp.array([-6.0])))
    assert reference.ok and reference.value == pytest.approx(6 / sizes[0], rel=1e-9)
    np.testing.assert_allclose(reference.effective, -6 / sizes[0] * np.outer(left[:, 0], right[0]), atol=1e-7)


def test_orthogonal_measurements_of_rank_one():
    rng = np.random.default_rng(1)
    left, right = np.linalg.qr(rng.normal(size=(6, 3)))[0], np.linalg.qr(rng.normal(size=(5, 3)))[0]
    x, y = np.einsum("in,jn->nij", left, right), np.array([2.0, -1.0, 0.5])
    reference = MinNuclear().solve(Split(jnp.asarray(x), jnp.asarray(y)))
    assert reference.ok and reference.value == pytest.approx(3.5, rel=1e-14)
    np.testing.assert_allclose(reference.effective, np.tensordot(y, x, 1), atol=1e-13)


def test_two_by_two():
    # The norm is convex in the one entry that is not known: a fine grid finds its least value to the square of its step.
    reference = MinNuclear().solve(entries([(0, 0), (0, 1), (1, 0)], [1.0, 2.0, 3.0], (2, 2)))
    norms = [np.linalg.norm([[1, 2], [3, m]], "nuc") for m in np.linspace(-8, 8, 16001)]
    assert reference.ok and reference.value == pytest.approx(min(norms), rel=1e-6)


def test_the_multiplication_table():
    problem = multiplication_table(jr.key(0), d=30, train_fraction=0.5)
    reference = MinNuclear().solve(problem.train)
    assert reference.ok
    np.testing.assert_allclose(reference.effective, problem.truth, atol=1e-6)


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), log_scale=st.floats(-30, 30), repeats=st.integers(0, 3))
def test_invariances(seed, log_scale, repeats):
    rng = np.random.default_rng(seed)
    truth, scale = rng.normal(size=(4, 5)), 10.0**log_scale
    places = rng.permutation(20)[:9]
    reference = MinNuclear().solve(entries(np.stack([places // 5, places % 5], 1), truth.ravel()[places], (4, 5)))
    again = np.concatenate([rng.permutation(places), places[:repeats]])
    rows, cols = rng.permutation(4), rng.permutation(5)
    there = np.stack([rows[again // 5], cols[again % 5]], 1)
    moved = MinNuclear().solve(entries(there, scale * truth.ravel()[again], (4, 5)))
    assert reference.ok and moved.ok
    assert moved.value == pytest.approx(scale * reference.value, rel=2e-6)  # two gaps


def test_a_contradiction_at_one_place():
    reference = MinNuclear().solve(entries([(0, 0), (1, 1), (0, 0)], [1.0, 2.0, 3.0], (3, 3)))
    assert not reference.ok and reference.value == np.inf
    np.testing.assert_allclose(reference.certificate.infeasibility, [-np.sqrt(0.5), 0, np.sqrt(0.5)])


def test_a_contradiction_of_mixed_measurements():
    x = np.random.default_rng(0).normal(size=(3, 2, 4))
    x[2] = x[0] - 2 * x[1]
    reference = MinNuclear().solve(Split(jnp.asarray(x), jnp.array([1.0, 1.0, 1.0])))
    proof = reference.certificate.infeasibility
    assert not reference.ok and abs(proof.sum()) > 0.1
    np.testing.assert_allclose(np.tensordot(proof, x, 1), 0, atol=1e-14)
