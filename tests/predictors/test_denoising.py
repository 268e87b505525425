import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.errors import BadInput
from lazyrich.predictors import BasisPursuitDenoising, Lasso, MinL1


def drawn(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=n)


@pytest.mark.parametrize("share", [0.9, 0.3, 0.01])
@pytest.mark.parametrize(("n", "d"), [(1, 6), (8, 20), (6, 6)])
def test_it_agrees_with_a_cone_program(split, n, d, share):
    x, y = drawn(n, d)
    radius = float(share * np.linalg.norm(y))
    reference = BasisPursuitDenoising(radius).solve(split(x, y))
    b = cp.Variable(d)
    program = cp.Problem(cp.Minimize(cp.norm1(b)), [cp.norm(x @ b - y) <= radius])
    assert reference.ok and reference.certificate.gap < 1e-11
    # Clarabel stops at a gap of 1e-8.
    assert reference.value == pytest.approx(float(program.solve(solver=cp.CLARABEL)), rel=1e-6)
    assert np.linalg.norm(x @ reference.effective - y) == pytest.approx(radius, rel=1e-9)
    assert np.abs(reference.dual @ x).max() <= 1 + 1e-12
    assert y @ reference.dual - radius * np.linalg.norm(reference.dual) == pytest.approx(reference.value, rel=1e-9)


def test_it_is_a_lasso_at_another_price(split):
    x, y = drawn(8, 20)
    lasso = Lasso(0.5, "half_sum").solve(split(x, y))
    radius = float(np.linalg.norm(x @ lasso.effective - y))
    np.testing.assert_allclose(BasisPursuitDenoising(radius).solve(split(x, y)).effective, lasso.effective, atol=1e-12)


def test_the_ends_of_the_radius(split):
    x, y = drawn(8, 20)
    data, size = split(x, y), float(np.linalg.norm(y))
    exact = BasisPursuitDenoising(0.0).solve(data)
    np.testing.assert_allclose(exact.effective, MinL1().solve(data).effective, atol=1e-13)
    for radius in (1e-8 * size, 1e-4 * size):
        near = BasisPursuitDenoising(radius).solve(data)
        # The norm falls with the radius at the rate of the dual's length, which is a few here.
        assert near.ok and 0 < exact.value - near.value < 10 * radius
    for radius in (size, 2 * size):
        reference = BasisPursuitDenoising(radius).solve(data)
        assert reference.ok and reference.value == 0 and not reference.effective.any()


def test_a_radius_below_the_distance_is_proven_to_be(split):
    x, y = drawn(20, 8)
    distance = float(np.linalg.norm(y - x @ np.linalg.lstsq(x, y, rcond=None)[0]))
    reference = BasisPursuitDenoising(0.9 * distance).solve(split(x, y))
    proof = reference.certificate.infeasibility
    assert not reference.ok and reference.value == np.inf
    assert np.abs(proof @ x).max() < 1e-13 and np.linalg.norm(proof) == pytest.approx(1)
    assert proof @ y == pytest.approx(distance, rel=1e-12)
    assert BasisPursuitDenoising(1.01 * distance).solve(split(x, y)).ok


@given(seed=st.integers(0, 1000), log_scale=st.floats(-6, 6))
@settings(max_examples=12)
def test_invariances(split, seed, log_scale):
    rng = np.random.default_rng(seed)
    x, y, scale = rng.normal(size=(5, 9)), rng.normal(size=5), 10.0**log_scale
    rows, columns = rng.permutation(5), rng.permutation(9)
    turned = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    radius = float(0.2 * np.linalg.norm(y))
    reference = BasisPursuitDenoising(radius).solve(split(x, y))
    moved = BasisPursuitDenoising(scale * radius).solve(split(x[rows][:, columns], scale * y[rows]))
    spun = BasisPursuitDenoising(radius).solve(split(turned @ x, turned @ y))
    assert reference.ok and moved.ok and spun.ok
    np.testing.assert_allclose(moved.effective, scale * reference.effective[columns], atol=1e-10 * scale)
    np.testing.assert_allclose(spun.effective, reference.effective, atol=1e-10)


def test_degenerate_and_badly_scaled_data_certify(split):
    rng = np.random.default_rng(0)
    signs, noise = rng.choice([-1.0, 1.0], size=(8, 20)), rng.normal(size=8)
    for x in (signs, np.hstack([signs, signs]), signs * 10.0 ** rng.uniform(-8, 8, size=20), np.hstack([signs, 0 * signs])):
        for share in (0.5, 1e-3):
            assert BasisPursuitDenoising(float(share * np.linalg.norm(noise))).solve(split(x, noise)).ok


@pytest.mark.parametrize("radius", [-1.0, np.nan, np.inf])
def test_a_radius_is_a_number_from_zero_on(radius):
    with pytest.raises(BadInput, match="radius must be a number"):
        BasisPursuitDenoising(radius)
