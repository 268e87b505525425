import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from lazyrich.predictors import MinL1, min_l1


def program(x, y, weights):
    """The least weighted norm, by the linear program on the raw data."""
    return linprog(np.tile(weights, 2), A_eq=np.hstack([x, -x]), b_eq=y, method="highs").fun


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_a_linear_program(planted, seed, noise):
    data, x, y = planted(seed, noise=noise)
    weights = np.exp(np.random.default_rng(seed).normal(size=20))
    for reference, prices in ((MinL1().solve(data), np.ones(20)), (MinL1(weights=weights).solve(data), weights)):
        assert reference.ok and reference.certificate.gap < 1e-10 and reference.certificate.feasibility < 1e-12
        assert reference.value == pytest.approx(program(x, y, prices), rel=1e-7)
        assert reference.value == pytest.approx(np.sum(prices * np.abs(reference.effective)), rel=1e-13)
        assert (np.abs(reference.dual @ x) <= prices * (1 + 1e-12)).all()
        assert reference.dual @ y == pytest.approx(reference.value, rel=1e-9)


def test_one_sample_takes_the_best_price(split):
    x, y = np.array([[3.0, -4.0, 2.0]]), np.array([10.0])
    np.testing.assert_allclose(MinL1().solve(split(x, y)).effective, [0, -2.5, 0], atol=1e-14)
    reference = MinL1(weights=[1.0, 1.0, 0.1]).solve(split(x, y))
    np.testing.assert_allclose(reference.effective, [0, 0, 5], atol=1e-14)
    assert reference.ok and reference.value == pytest.approx(0.5, rel=1e-14)


def test_a_planted_truth_is_recovered(planted):
    data, _, _ = planted(0, n=30, d=100, sparsity=4)
    reference = MinL1().solve(data)
    np.testing.assert_allclose(reference.effective, np.arange(100) < 4, atol=1e-12)
    assert reference.ok and reference.certificate.gap < 1e-12


@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6), repeats=st.integers(0, 3))
def test_invariances(split, seed, log_scale, repeats):
    rng = np.random.default_rng(seed)
    x, y, scale = rng.normal(size=(5, 9)), rng.normal(size=5), 10.0**log_scale
    reference = MinL1().solve(split(x, y))
    rows, columns = rng.permutation(5), rng.permutation(9)
    again = np.concatenate([rows, rng.integers(0, 5, size=repeats)])
    moved = MinL1().solve(split(x[again][:, columns], scale * y[again]))
    assert reference.ok and moved.ok
    np.testing.assert_allclose(moved.effective, scale * reference.effective[columns], atol=1e-8 * scale)
    assert moved.value == pytest.approx(scale * reference.value, rel=1e-9)


@pytest.mark.parametrize("method", ["_homotopy", "_linear_program"])
def test_both_methods_agree(planted, monkeypatch, method):
    data, _, _ = planted(1, n=12, d=30, noise=0.5)
    expected = MinL1().solve(data)
    for other in {"_homotopy", "_linear_program"} - {method}:
        monkeypatch.setattr(min_l1, other, lambda *args, **kwargs: None)
    reference = MinL1().solve(data)
    assert reference.ok and reference.certificate.gap < 1e-9
    np.testing.assert_allclose(reference.effective, expected.effective, atol=1e-9)


def test_no_answer_from_either_method_is_not_ok(planted, monkeypatch):
    monkeypatch.setattr(min_l1, "_homotopy", lambda *args, **kwargs: None)
    monkeypatch.setattr(min_l1, "_linear_program", lambda columns, target, prices: (np.ones(20), np.ones(8)))
    reference = MinL1().solve(planted()[0])
    assert not reference.ok and reference.certificate.infeasibility is None
    monkeypatch.setattr(min_l1, "_linear_program", lambda *args, **kwargs: None)
    assert not MinL1().solve(planted()[0]).ok


@pytest.mark.parametrize("n", [4, 7])
def test_as_many_equations_as_unknowns(split, n):
    rng = np.random.default_rng(0)
    x, truth = rng.normal(size=(n, 4)), np.array([1.0, -2.0, 0.0, 3.0])
    reference = MinL1().solve(split(x, x @ truth))
    assert reference.ok and reference.value == pytest.approx(6, rel=1e-12)
    np.testing.assert_allclose(reference.effective, truth, atol=1e-12)


def test_degenerate_data_certify(split):
    rng = np.random.default_rng(0)
    signs = rng.choice([-1.0, 1.0], size=(8, 20))
    low_rank = rng.normal(size=(8, 2)) @ rng.normal(size=(2, 20))
    twins = np.hstack([signs, signs])
    for x in (signs, low_rank, twins):
        y = x[:, :3].sum(axis=1)
        reference = MinL1().solve(split(x, y))
        assert reference.ok and reference.value == pytest.approx(program(x, y, np.ones(x.shape[1])), rel=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_badly_scaled_columns_certify(split, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(8, 20)) * 10.0 ** rng.uniform(-3, 3, size=20)
    reference = MinL1().solve(split(x, rng.normal(size=8)))
    assert reference.ok and reference.certificate.gap < 1e-8


def test_clashing_equations_are_proven(split):
    x, y = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]), np.array([1.0, 2.0])
    reference = MinL1().solve(split(x, y))
    proof = reference.certificate.infeasibility
    assert not reference.ok and reference.value == np.inf
    assert np.abs(proof @ x).max() < 1e-14 and abs(proof @ y) > 0.1


def test_zero_answers_give_zero(split):
    reference = MinL1().solve(split(np.eye(2, 3), np.zeros(2)))
    assert reference.ok and reference.value == 0 and not reference.effective.any()


@pytest.mark.parametrize("seed", range(5))
def test_columns_over_sixteen_powers_of_ten_certify(split, seed):
    rng = np.random.default_rng(seed)
    for n, d in ((8, 20), (6, 6), (9, 4)):
        sizes = 10.0 ** rng.uniform(-8, 8, size=d)
        x, balanced = rng.normal(size=(n, d)), rng.normal(size=d)
        # Every column matters alike, or the answers are noise.
        for y in (x @ balanced, rng.normal(size=n)) if n < d else (x @ balanced,):
            reference = MinL1().solve(split(x * sizes, y))
            assert reference.ok and reference.certificate.gap < 1e-8


@pytest.mark.parametrize("seed", range(3))
def test_ties_need_no_linear_program(split, seed, monkeypatch):
    monkeypatch.setattr(min_l1, "_linear_program", lambda *args, **kwargs: None)
    rng = np.random.default_rng(seed)
    signs = rng.choice([-1.0, 1.0], size=(15, 40))
    whole = rng.integers(-1, 2, size=(15, 40)).astype(float)
    for x, y in (
        (signs, signs[:, :3].sum(axis=1)),
        (signs, rng.choice([-1.0, 1.0], size=15)),
        (np.hstack([signs, signs, -signs]), rng.choice([-1.0, 1.0], size=15)),
        (whole, whole @ rng.integers(-1, 2, size=40)),
        (np.hstack([np.eye(15), np.zeros((15, 3)), signs]), np.ones(15)),
    ):
        reference = MinL1().solve(split(x, y))
        assert reference.ok and reference.certificate.gap < 1e-9
        assert reference.value == pytest.approx(program(x, y, np.ones(x.shape[1])), rel=1e-7)


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_answers_of_any_size(planted, split, scale):
    data, x, y = planted()
    reference = MinL1().solve(split(x, scale * y))
    assert reference.ok and reference.value == pytest.approx(scale * MinL1().solve(data).value, rel=1e-12)


def test_other_minimizers_and_duals_are_noted(planted, split):
    data, x, y = planted(0, n=30, d=100, sparsity=4)
    assert MinL1().solve(data).notes == "the dual is not unique"
    assert MinL1().solve(planted(0, noise=1.0)[0]).notes == ""
    assert "the minimizer may not be unique" in MinL1().solve(split(np.hstack([x, x]), y)).notes
