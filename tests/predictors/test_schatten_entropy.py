import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from lazyrich.errors import BadInput
from lazyrich.predictors import MinFrobenius, MinHyperbolicEntropy, MinNuclear, MinSchattenEntropy
from lazyrich.predictors.parts.measurements import Arrays
from lazyrich.predictors.parts.schatten_dual import SchattenDual
from lazyrich.problems import Split


def diagonal(x, y) -> Split:
    """Measurements of the diagonal alone."""
    return Split(jnp.asarray(np.stack([np.diag(row) for row in x])), jnp.asarray(y))


@pytest.mark.parametrize("mu", [1e-20, 1e-6, 1e-2, 0.3, 1.0, 1e3])
def test_diagonal_measurements_give_the_vector_of_least_entropy(planted, split, mu):
    _, x, y = planted(0, n=4, d=7, noise=0.3)
    reference, vector = MinSchattenEntropy(mu).solve(diagonal(x, y)), MinHyperbolicEntropy(mu).solve(split(x, y))
    assert reference.ok and vector.ok
    np.testing.assert_allclose(reference.effective, np.diag(vector.effective), atol=1e-7)
    assert reference.value == pytest.approx(vector.value, rel=1e-9)


def test_measurements_that_commute_after_a_turn(planted, split):
    _, x, y = planted(1, n=4, d=6, noise=0.3)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(6, 6)))[0]
    reference = MinSchattenEntropy(0.1).solve(Split(turn @ diagonal(x, y).x @ turn.T, jnp.asarray(y)))
    vector = MinHyperbolicEntropy(0.1).solve(split(x, y))
    np.testing.assert_allclose(turn.T @ reference.effective @ turn, np.diag(vector.effective), atol=1e-8)


@pytest.mark.parametrize("mu", [0.1, 1.0])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2)])
def test_it_agrees_with_a_search_in_the_free_directions(sensing, shape, mu):
    data, _ = sensing(5, shape, rank=2, n=4)
    rows, y = np.asarray(data.x).reshape(4, -1), np.asarray(data.y)
    fixed, free = np.linalg.pinv(rows) @ y, np.linalg.svd(rows)[2][4:]

    def cost(t):
        left, sizes, right = np.linalg.svd((fixed + t @ free).reshape(shape), full_matrices=False)
        z = sizes / mu**2
        entropy = mu**2 * np.sum(2 - np.sqrt(4 + z**2) + z * np.arcsinh(z / 2))
        return entropy, free @ ((left * np.arcsinh(z / 2)) @ right).ravel()

    found = minimize(cost, np.zeros(free.shape[0]), jac=True, method="BFGS", options={"gtol": 1e-9})
    reference = MinSchattenEntropy(mu).solve(data)
    assert reference.ok and reference.value == pytest.approx(found.fun, rel=1e-9)
    np.testing.assert_allclose(reference.effective.ravel(), fixed + found.x @ free, atol=1e-6)


@pytest.mark.parametrize("mu", [1e-5, 1e-3, 1e-1, 1.0, 1e2])
@pytest.mark.parametrize("rank", [1, 10])
def test_ten_by_ten_from_sixty_entries(completion, rank, mu):
    reference = MinSchattenEntropy(mu).solve(completion(0, (10, 10), rank=rank, share=0.6)[0])
    assert reference.ok and reference.certificate.gap < 1e-11 and reference.certificate.feasibility < 1e-13


def test_both_limits(completion):
    data, _ = completion(1, (6, 8), rank=2, share=0.5)
    lazy, rich = MinFrobenius().solve(data), MinNuclear().solve(data)
    far = MinSchattenEntropy(1e4).solve(data)
    np.testing.assert_allclose(far.effective, lazy.effective, atol=1e-10)
    # 4 mu^2 Q is the squared Frobenius norm up to (|M| / mu^2)^2.
    assert 4 * 1e8 * far.value == pytest.approx(lazy.value**2, rel=1e-12)
    excess = [
        np.linalg.norm(MinSchattenEntropy(mu).solve(data).effective, "nuc") / rich.value - 1 for mu in (1e-1, 1e-3, 1e-10, 1e-50)
    ]
    # It falls about like 1 / log(1 / mu), faster where the answer is of low rank.
    assert (np.diff(excess) < 0).all() and 0 < excess[-1] < 1e-4


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), n=st.integers(1, 12), log_mu=st.floats(-5, 2))
def test_the_dual_gives_the_answer(seed, n, log_mu):
    rng, mu = np.random.default_rng(seed), 10.0**log_mu
    x = rng.normal(size=(n, 3, 4))
    y = np.tensordot(x, rng.normal(size=(3, 4)), 2)
    reference = MinSchattenEntropy(mu).solve(Split(jnp.asarray(x), jnp.asarray(y)))
    left, sizes, right = np.linalg.svd(np.tensordot(reference.dual, x, 1), full_matrices=False)
    assert reference.ok
    np.testing.assert_allclose((left * 2 * mu**2 * np.sinh(sizes)) @ right, reference.effective, atol=1e-6 * np.abs(y).max())


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3)])
def test_the_curvature_is_that_of_differences(shape):
    rng = np.random.default_rng(0)
    rows = np.linalg.qr(rng.normal(size=(15, 6)))[0].T if shape != (4, 4) else np.linalg.qr(rng.normal(size=(16, 6)))[0].T
    dual, nu, level, step = SchattenDual(Arrays(rows, shape), np.eye(6)[0]), rng.normal(size=6), -0.5, 1e-6
    half = dual._half(dual.at(nu, level), level)
    for direction in np.eye(6):
        ahead, behind = dual.at(nu + step * direction, level), dual.at(nu - step * direction, level)
        np.testing.assert_allclose(half @ half.T @ direction, (behind.residual - ahead.residual) / (2 * step), atol=1e-7)
        assert (ahead.value - behind.value) / (2 * step) == pytest.approx(direction @ dual.at(nu, level).residual, abs=1e-7)


@pytest.mark.parametrize("mu", [0.0, -1.0, 1e-200, float("nan")])
def test_scales_that_are_none(mu):
    with pytest.raises(BadInput, match="mu must be a number"):
        MinSchattenEntropy(mu)
