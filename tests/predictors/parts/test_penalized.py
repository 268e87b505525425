"""Ridge, Lasso and ElasticNet against closed forms and an interior-point solver, at every strength."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.errors import BadInput
from lazyrich.losses import sample_weight
from lazyrich.predictors import ElasticNet, Lasso, MinL1, MinL2, Ridge
from lazyrich.predictors.parts.arguments import require_reduction, require_strength

REDUCTIONS = ("sum", "mean", "half_sum")
SHAPES = [(1, 1), (1, 6), (8, 20), (6, 6), (20, 8)]


def drawn(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=n)


def program(x, y, *, reduction, l1, l2):
    """The least value, by a cone program."""
    b = cp.Variable(x.shape[1])
    loss = sample_weight(reduction, y.size) * cp.sum_squares(x @ b - y) + l1 * cp.norm1(b) + l2 / 2 * cp.sum_squares(b)
    return float(cp.Problem(cp.Minimize(loss)).solve(solver=cp.CLARABEL))


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_ridge_solves_the_normal_equations(split, n, d, reduction):
    x, y = drawn(n, d)
    reference, a = Ridge(0.3, reduction).solve(split(x, y)), sample_weight(reduction, n)
    expected = np.linalg.solve(2 * a * x.T @ x + 0.3 * np.eye(d), 2 * a * x.T @ y)
    assert reference.ok and reference.certificate.gap < 1e-12 and reference.certificate.feasibility == 0
    np.testing.assert_allclose(reference.effective, expected, atol=1e-12)
    assert reference.value == pytest.approx(a * np.sum((x @ expected - y) ** 2) + 0.15 * expected @ expected, rel=1e-12)
    np.testing.assert_allclose(reference.dual, 2 * a * (y - x @ expected), atol=1e-12)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_the_value_agrees_with_a_cone_program(split, n, d, reduction):
    x, y = drawn(n, d, seed=1)
    for reference, l1, l2 in (
        (Lasso(0.2, reduction).solve(split(x, y)), 0.2, 0.0),
        (ElasticNet(0.2, 0.5, reduction).solve(split(x, y)), 0.2, 0.5),
    ):
        assert reference.ok and reference.certificate.gap < 1e-12
        # Clarabel stops at a gap of 1e-8.
        assert reference.value == pytest.approx(program(x, y, reduction=reduction, l1=l1, l2=l2), rel=1e-6)
        fit = sample_weight(reduction, n) * np.sum((x @ reference.effective - y) ** 2)
        norms = l1 * np.abs(reference.effective).sum() + l2 / 2 * reference.effective @ reference.effective
        assert reference.value == pytest.approx(fit + norms, rel=1e-13)


@pytest.mark.parametrize("strength", [1e-12, 1e-6, 1e-3, 1.0, 1e3, 1e12])
@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_every_strength_certifies(split, n, d, strength):
    x, y = drawn(n, d, seed=2)
    data = split(x, y)
    for predictor in (Ridge(strength, "sum"), Lasso(strength, "mean"), ElasticNet(strength, 1.0, "sum")):
        reference = predictor.solve(data)
        # A residual of size one has prices good to 1e-16, a ten-thousandth of the smallest strength: squared, 1e-8.
        assert reference.ok and reference.certificate.gap < 1e-7


def test_small_strengths_approach_the_interpolants(split):
    x, y = drawn(8, 20)
    data = split(x, y)
    for penalized, limit in ((Ridge(1e-9, "sum"), MinL2()), (Lasso(1e-9, "sum"), MinL1())):
        reference, expected = penalized.solve(data), limit.solve(data)
        # The distance is of first order in the strength, with the condition of the support as its constant.
        np.testing.assert_allclose(reference.effective, expected.effective, atol=1e-7)


def test_the_lasso_is_zero_from_a_known_strength_on(split):
    x, y = drawn(8, 20)
    edge = 2 * np.abs(x.T @ y).max()
    assert not Lasso(edge * (1 + 1e-12), "sum").solve(split(x, y)).effective.any()
    below = Lasso(edge * 0.999, "sum").solve(split(x, y))
    assert np.count_nonzero(below.effective) == 1 and below.ok


def test_orthonormal_inputs_are_soft_thresholded(split):
    rng = np.random.default_rng(0)
    x, y = np.linalg.qr(rng.normal(size=(6, 6)))[0], rng.normal(size=6)
    plain = x.T @ y
    shrunk = np.sign(plain) * np.maximum(np.abs(plain) - 0.2, 0)
    np.testing.assert_allclose(Lasso(0.4, "sum").solve(split(x, y)).effective, shrunk, atol=1e-14)
    both = ElasticNet(0.4, 0.6, "sum").solve(split(x, y)).effective
    np.testing.assert_allclose(both, shrunk / 1.3, atol=1e-14)


@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6))
@settings(max_examples=12)
def test_invariances(split, seed, log_scale):
    rng = np.random.default_rng(seed)
    x, y, scale = rng.normal(size=(5, 9)), rng.normal(size=5), 10.0**log_scale
    rows, columns = rng.permutation(5), rng.permutation(9)
    turned = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    for first, second, other in (
        (Lasso(0.1, "sum"), Lasso(0.1 * scale, "sum"), Lasso(0.02, "mean")),
        (ElasticNet(0.1, 0.2, "sum"), ElasticNet(0.1 * scale, 0.2, "sum"), ElasticNet(0.02, 0.04, "mean")),
        (Ridge(0.2, "sum"), Ridge(0.2, "sum"), Ridge(0.04, "mean")),
    ):
        reference = first.solve(split(x, y))
        moved = second.solve(split(x[rows][:, columns], scale * y[rows]))
        spun = first.solve(split(turned @ x, turned @ y))
        # With every sample twice, the mean over ten is a fifth of the sum over five.
        twice = other.solve(split(np.vstack([x, x]), np.concatenate([y, y])))
        assert reference.ok and moved.ok and spun.ok and twice.ok
        np.testing.assert_allclose(moved.effective, scale * reference.effective[columns], atol=1e-10 * scale)
        np.testing.assert_allclose(spun.effective, reference.effective, atol=1e-10)
        assert moved.value == pytest.approx(scale**2 * reference.value, rel=1e-10)
        np.testing.assert_allclose(twice.effective, reference.effective, atol=1e-10)
        assert twice.value == pytest.approx(reference.value / 5, rel=1e-10)


def test_a_mean_over_repeated_samples(split):
    x, y = drawn(5, 9)
    twice = split(np.vstack([x, x]), np.concatenate([y, y]))
    for penalized in (Lasso(0.1, "mean"), Ridge(0.1, "mean"), ElasticNet(0.1, 0.2, "mean")):
        once = penalized.solve(split(x, y))
        assert penalized.solve(twice).value == pytest.approx(once.value, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_degenerate_and_badly_scaled_data_certify(split, seed):
    rng = np.random.default_rng(seed)
    signs, noise = rng.choice([-1.0, 1.0], size=(8, 20)), rng.normal(size=8)
    wide = rng.normal(size=(8, 20)) * 10.0 ** rng.uniform(-8, 8, size=20)
    cases = [
        (signs, signs[:, :3].sum(axis=1)),
        (np.hstack([signs, signs, -signs]), noise),
        (np.hstack([signs, np.zeros((8, 4))]), noise),
        (rng.normal(size=(8, 2)) @ rng.normal(size=(2, 20)), noise),
        (np.zeros((8, 20)), noise),
        (signs, np.zeros(8)),
        (wide, noise),
        (signs, 1e-200 * noise),
    ]
    for x, y in cases:
        for predictor in (Ridge(0.1, "sum"), Lasso(0.1, "sum"), ElasticNet(0.1, 0.1, "sum")):
            assert predictor.solve(split(x, y)).ok


def test_twins_are_noted(split):
    x, y = drawn(5, 9)
    assert Lasso(0.1, "sum").solve(split(np.hstack([x, x]), y)).notes == "the minimizer may not be unique"
    assert Lasso(0.1, "sum").solve(split(x, y)).notes == ""
    assert ElasticNet(0.1, 0.1, "sum").solve(split(np.hstack([x, x]), y)).notes == ""


def test_a_broken_path_is_not_called_ok(split, monkeypatch):
    from lazyrich.predictors import elastic_net

    x, y = drawn(8, 20)
    monkeypatch.setattr(elastic_net, "lasso_path", lambda *args, **kwargs: iter(()))
    reference = Lasso(0.1, "sum").solve(split(x, y))
    assert not reference.ok and reference.certificate.gap > 0.1 and not reference.effective.any()


@pytest.mark.parametrize(
    ("make", "cure"),
    [
        (lambda: Ridge(0.0, "sum"), "use MinL2"),
        (lambda: Lasso(0.0, "sum"), "use MinL1"),
        (lambda: ElasticNet(0.0, 1.0, "sum"), "use Ridge"),
        (lambda: ElasticNet(1.0, 0.0, "sum"), "use Lasso"),
        (lambda: Lasso(-1.0, "sum"), "positive"),
        (lambda: Lasso(np.nan, "sum"), "positive"),
        (lambda: require_strength("strength", "much", instead=""), "positive"),
        (lambda: require_reduction("total"), "'sum', 'mean' or 'half_sum'"),
    ],
)
def test_strengths_must_be_positive(make, cure):
    with pytest.raises(BadInput, match=cure):
        make()
