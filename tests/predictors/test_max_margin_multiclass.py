import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.errors import BadInput
from lazyrich.predictors import MaxMargin, MaxMarginMulticlass


def classes(seed, n, d, k):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    return x, (x @ rng.normal(size=(d, k))).argmax(axis=1)


def ahead(scores, y):
    own = np.arange(scores.shape[1]) == np.asarray(y)[:, None]
    return scores[own] - np.where(own, -np.inf, scores).max(axis=1)


def cone(x, y, k):
    w = cp.Variable((x.shape[1], k))
    scores = x @ w
    rivals = [scores[i, own] - scores[i, j] >= 1 for i, own in enumerate(y) for j in range(k) if j != own]
    return cp.Problem(cp.Minimize(cp.norm(w, "fro")), rivals).solve(solver="CLARABEL")


@pytest.mark.parametrize(("n", "d", "k"), [(1, 1, 2), (1, 3, 4), (6, 4, 3), (12, 12, 4), (30, 6, 3), (10, 40, 5)])
def test_it_agrees_with_a_cone_solver(split, n, d, k):
    x, y = classes(n, n, d, k)
    reference = MaxMarginMulticlass(k).solve(split(x, y))
    assert reference.ok and reference.certificate.gap < 1e-9 and reference.certificate.feasibility < 1e-12
    assert reference.value == pytest.approx(cone(x, y, k), rel=1e-6)
    assert reference.effective.shape == (d, k)
    assert reference.value == pytest.approx(np.linalg.norm(reference.effective), rel=1e-13)
    assert ahead(reference.predict(x), y).min() >= 1 - 1e-12
    # A class weighs against another, so the columns have no common part.
    np.testing.assert_allclose(reference.effective.sum(axis=1), 0, atol=1e-10 * reference.value)


def test_two_classes_are_the_two_class_margin(split, labeled):
    data, x, y = labeled(0)
    reference, plain = MaxMarginMulticlass().solve(split(x, (y + 1) / 2)), MaxMargin("l2").solve(data)
    assert reference.value == pytest.approx(plain.value / np.sqrt(2), rel=1e-12)
    np.testing.assert_allclose(reference.effective, np.stack([-plain.effective, plain.effective], axis=1) / 2, atol=1e-10)


def test_rows_with_a_single_one_are_classes(split):
    x, y = classes(0, 8, 5, 3)
    reference, hot = MaxMarginMulticlass(3).solve(split(x, y)), MaxMarginMulticlass().solve(split(x, np.eye(3)[y]))
    np.testing.assert_array_equal(reference.effective, hot.effective)


def test_a_class_without_samples_is_a_rival_too(split):
    x, y = classes(0, 8, 5, 3)
    few, more = MaxMarginMulticlass(3).solve(split(x, y)), MaxMarginMulticlass(4).solve(split(x, y))
    assert more.ok and more.value > few.value
    assert more.value == pytest.approx(cone(x, y, 4), rel=1e-6)


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6), repeats=st.integers(0, 3))
def test_invariances(split, seed, log_scale, repeats):
    x, y = classes(seed, 7, 5, 3)
    rng, scale = np.random.default_rng(seed), 10.0**log_scale
    again = np.concatenate([rng.permutation(7), rng.integers(0, 7, size=repeats)])
    turn, names = np.linalg.qr(rng.normal(size=(5, 5)))[0], rng.permutation(3)
    reference = MaxMarginMulticlass(3).solve(split(x, y))
    moved = MaxMarginMulticlass(3).solve(split(scale * x[again] @ turn, names[y[again]]))
    assert reference.ok and moved.ok and scale * moved.value == pytest.approx(reference.value, rel=1e-9)
    np.testing.assert_allclose(scale * turn @ moved.effective[:, names], reference.effective, atol=1e-7 * reference.value)


@pytest.mark.parametrize("kind", ["random", "twins", "zero", "collinear"])
def test_no_separation_is_proven(split, kind):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, 3)), rng.integers(0, 4, size=60)
    if kind == "twins":
        x, y = np.vstack([x[:3], x[:1]]), np.array([0, 1, 2, 1])
    if kind == "zero":
        x, y = np.vstack([x[:2], np.zeros((1, 3))]), np.array([0, 1, 0])
    if kind == "collinear":  # a middle class on a line through zero
        x, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 0])
    reference = MaxMarginMulticlass().solve(split(x, y))
    proof = reference.certificate.infeasibility
    assert not reference.ok and reference.value == np.inf and not reference.effective.any()
    assert proof.min() >= 0 and proof.sum() == pytest.approx(1, rel=1e-12)
    own = np.arange(proof.shape[1]) == y[:, None]
    assert not proof[own].any()
    mix = np.where(own, proof.sum(axis=1, keepdims=True), -proof)
    assert np.abs(x.T @ mix).max() < 1e-12


@pytest.mark.parametrize(("n", "d", "k"), [(10, 25, 4), (12, 4, 3)])
def test_columns_from_1e_minus_8_to_1e8(split, n, d, k):
    certified = 0
    for seed in range(6):
        x, y = classes(seed, n, d, k)
        x = x * 10.0 ** np.random.default_rng(seed).uniform(-8, 8, size=d)
        reference = MaxMarginMulticlass(k).solve(split(x, y))
        assert reference.certificate.infeasibility is None
        if reference.ok:
            assert ahead(reference.predict(x), y).min() >= 1 - 1e-8
        certified += reference.ok
    assert certified >= 4


@pytest.mark.parametrize(
    ("count", "y"),
    [
        (None, [-1.0, 1.0]),
        (None, [0.5, 1.0]),
        (2, [0.0, 2.0]),
        (None, [0.0, 0.0]),
        (None, [[0.0, 2.0], [1.0, 0.0]]),
        (1, [0.0, 0.0]),
    ],
)
def test_answers_that_are_no_classes(split, count, y):
    with pytest.raises(BadInput, match="MaxMarginMulticlass needs classes from 0"):
        MaxMarginMulticlass(count).solve(split(np.eye(2), y))


def test_predictions_take_inputs_of_the_same_dimension(split):
    reference = MaxMarginMulticlass().solve(split(*classes(0, 6, 5, 3)))
    assert reference.predict(np.ones(5)).shape == (3,) and reference.predict(np.ones((2, 5))).shape == (2, 3)
    with pytest.raises(BadInput, match="one input of 5 numbers"):
        reference.predict(np.ones(4))
