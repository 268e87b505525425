import cvxpy as cp
import jax.random as jr
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.predictors import MaxMargin, max_margin
from lazyrich.problems import margin_classification, sparse_classification

NORMS = {"l1": 1, "l2": 2}


def cone(x, y, norm):
    """The least norm with margins of at least 1, by a cone solver."""
    w = cp.Variable(x.shape[1])
    return cp.Problem(cp.Minimize(cp.norm(w, NORMS[norm])), [cp.multiply(y, x @ w) >= 1]).solve(solver="CLARABEL")


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("n", "d"), [(1, 1), (1, 4), (5, 12), (12, 12), (30, 8), (40, 60)])
def test_it_agrees_with_a_cone_solver(labeled, norm, n, d):
    data, x, y = labeled(n, n=n, d=d)
    reference = MaxMargin(norm).solve(data)
    assert reference.ok and reference.certificate.gap < 1e-9 and reference.certificate.feasibility < 1e-12
    assert reference.value == pytest.approx(cone(x, y, norm), rel=1e-6)
    assert reference.value == pytest.approx(np.linalg.norm(reference.effective, NORMS[norm]), rel=1e-13)
    assert reference.dual.min() >= 0
    assert np.linalg.norm((y * reference.dual) @ x, {"l1": np.inf, "l2": 2}[norm]) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("norm", NORMS)
def test_one_sample_in_closed_form(split, norm):
    reference = MaxMargin(norm).solve(split([[3.0, -4.0]], [-1.0]))
    np.testing.assert_allclose(reference.effective, {"l1": [0, 0.25], "l2": [-0.12, 0.16]}[norm], atol=1e-15)
    assert reference.value == pytest.approx({"l1": 0.25, "l2": 0.2}[norm], rel=1e-14)


@pytest.mark.parametrize("norm", NORMS)
@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6), repeats=st.integers(0, 3))
def test_invariances(split, norm, seed, log_scale, repeats):
    rng = np.random.default_rng(seed)
    x, y, scale = rng.normal(size=(6, 9)), rng.choice([-1.0, 1.0], size=6), 10.0**log_scale
    reference = MaxMargin(norm).solve(split(x, y))
    rows, columns = rng.permutation(6), rng.permutation(9)
    again = np.concatenate([rows, rng.integers(0, 6, size=repeats)])
    moved = MaxMargin(norm).solve(split(scale * x[again][:, columns], y[again]))
    mirrored = MaxMargin(norm).solve(split(y[:, None] * x, np.ones(6)))
    assert reference.ok and moved.ok and mirrored.ok
    np.testing.assert_allclose(scale * moved.effective, reference.effective[columns], atol=1e-8 * reference.value)
    np.testing.assert_allclose(mirrored.effective, reference.effective, atol=1e-8 * reference.value)
    assert scale * moved.value == pytest.approx(reference.value, rel=1e-9)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("scaled", ["rows", "columns"])
@pytest.mark.parametrize("seed", range(4))
def test_badly_scaled_data_certify(split, norm, scaled, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(8, 20)) * 10.0 ** rng.uniform(-3, 3, size=(8, 1) if scaled == "rows" else 20)
    reference = MaxMargin(norm).solve(split(x, rng.choice([-1.0, 1.0], size=8)))
    assert reference.ok and reference.certificate.gap < 1e-8


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("n", "d"), [(6, 3), (6, 9), (11, 12), (20, 5)])
def test_columns_from_1e_minus_8_to_1e8(split, norm, n, d):
    certified = 0
    for seed in range(10):
        rng = np.random.default_rng([seed, n, d])
        x = rng.normal(size=(n, d))
        y = np.where(x @ rng.normal(size=d) >= 0, 1.0, -1.0)
        x = x * 10.0 ** rng.uniform(-8, 8, size=d)
        reference = MaxMargin(norm).solve(split(x, y))
        # They separate by construction: a small column decides, and no proof may call it nothing.
        assert reference.certificate.infeasibility is None and (y * (x @ reference.effective)).min() >= 1 - 1e-8
        certified += reference.ok
    assert certified >= 8


@pytest.mark.parametrize("norm", NORMS)
def test_columns_of_every_size_against_a_cone_solver(split, norm):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(6, 3)) * np.array([1e-3, 1.0, 1e3])
    y = np.where(x @ np.array([1e3, 1.0, 1e-3]) >= 0, 1.0, -1.0)
    reference = MaxMargin(norm).solve(split(x, y))
    assert reference.ok and reference.value == pytest.approx(cone(x, y, norm), rel=1e-5)


def test_lengths_of_samples_do_not_decide_whether_they_separate(split):
    # Lengths over 16 orders: the norm may not be certified to 1e-6, yet a separator of finite norm is found.
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = rng.normal(size=(8, 3)) * 10.0 ** rng.uniform(-8, 8, size=(8, 1))
        y = np.where(x @ np.ones(3) >= 0, 1.0, -1.0)
        reference = MaxMargin("l2").solve(split(x, y))
        assert np.isfinite(reference.value) and (y * (x @ reference.effective)).min() > 0
        assert reference.certificate.infeasibility is None


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("kind", ["random", "twins", "zero"])
def test_no_separation_is_proven(split, norm, kind):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(40, 5)), rng.choice([-1.0, 1.0], size=40)
    if kind == "twins":
        x, y = np.vstack([x[:2], x[:1]]), np.array([1.0, 1.0, -1.0])
    if kind == "zero":
        x, y = np.vstack([x[:1], np.zeros((1, 5))]), np.ones(2)
    reference = MaxMargin(norm).solve(split(x, y))
    proof = reference.certificate.infeasibility
    assert not reference.ok and reference.value == np.inf and not reference.effective.any()
    assert proof.min() >= 0 and proof.sum() == pytest.approx(1, rel=1e-12)
    assert np.linalg.norm((y * proof) @ x) < 1e-12


@pytest.mark.parametrize("norm", NORMS)
def test_a_thin_margin_is_still_found(split, norm):
    x = np.array([[1.0, 1e-5], [-1.0, 1e-5]])
    reference = MaxMargin(norm).solve(split(x, np.ones(2)))
    assert reference.ok and reference.value == pytest.approx(1e5, rel=1e-9)


def test_columns_brought_in_by_price_give_the_same_answer(labeled, monkeypatch):
    data, _, _ = labeled(0, n=20, d=300)
    whole = MaxMargin("l1").solve(data)
    monkeypatch.setattr(max_margin, "_LARGE", 100)
    monkeypatch.setattr(max_margin, "_COLUMNS", 15)  # the first 15 columns do not separate 20 samples
    reference = MaxMargin("l1").solve(data)
    assert reference.ok and reference.certificate.gap < 1e-9
    np.testing.assert_allclose(reference.effective, whole.effective, atol=1e-9)


def test_signs_in_many_dimensions_certify_at_once():
    problem = sparse_classification(jr.key(0), n=120, d=4_000, test=0)
    reference = MaxMargin("l1").solve(problem.train)
    assert reference.ok and reference.value == pytest.approx(3, rel=1e-12)
    np.testing.assert_allclose(reference.effective, problem.truth, atol=1e-12)


def test_fewer_samples_than_show_the_teacher():
    # With so few signs a dense direction beats the teacher; the bound proves it.
    problem = sparse_classification(jr.key(0), n=40, d=4_000, test=0)
    reference = MaxMargin("l1").solve(problem.train)
    assert reference.ok and reference.value < 3 and np.count_nonzero(reference.effective) > 3


def test_an_unfinished_search_keeps_valid_bounds(monkeypatch):
    problem = sparse_classification(jr.key(0), n=40, d=4_000, test=0)
    best = MaxMargin("l1").solve(problem.train).value
    monkeypatch.setattr(max_margin, "_ROUNDS", 1)
    monkeypatch.setattr(max_margin, "_COLUMNS", 60)
    reference = MaxMargin("l1").solve(problem.train)
    assert not reference.ok and reference.certificate.infeasibility is None
    assert reference.value * (1 - reference.certificate.gap) <= best < reference.value


def test_dense_data_in_many_dimensions():
    problem = margin_classification(jr.key(0), n=16, d=5_000, test=0)
    for norm in NORMS:
        assert MaxMargin(norm).solve(problem.train).ok


def test_a_failed_program_leaves_a_valid_bound(labeled, monkeypatch):
    data, _, _ = labeled(0)
    best = MaxMargin("l1").solve(data).value
    monkeypatch.setattr(max_margin, "_program", lambda signed, costs: None)
    reference = MaxMargin("l1").solve(data)
    assert not reference.ok
    assert reference.value * (1 - reference.certificate.gap) <= best <= reference.value
