import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import compressed_sensing, digit_zero, fourier, measure, polynomial, waves

SIZES = {"n": 30, "d": 100, "sparsity": 5}


def test_answers_are_those_of_a_sparse_truth():
    problem = compressed_sensing(jr.key(0), **SIZES)
    truth, x = np.asarray(problem.truth), np.asarray(problem.train.x)
    assert np.count_nonzero(truth) == 5 and x.shape == (30, 100)
    np.testing.assert_allclose(problem.train.y, x @ truth, rtol=0, atol=1e-14)
    other = compressed_sensing(jr.key(1), **SIZES).truth
    assert set(np.flatnonzero(truth)) != set(np.flatnonzero(other))


def test_sizes_of_rows_entries_and_noise():
    many = {"n": 400, "d": 500, "sparsity": 500}
    problem = compressed_sensing(jr.key(0), **many, size=3.0, noise=0.5)
    x, truth = np.asarray(problem.train.x), np.asarray(problem.truth)
    # A variance estimated from m numbers has a relative deviation of sqrt(2/m).
    assert abs(x.var() * 500 - 1) < 4 * np.sqrt(2 / x.size)
    assert abs(truth.var() / 9 - 1) < 4 * np.sqrt(2 / 500)
    assert abs((np.asarray(problem.train.y) - x @ truth).var() / 0.25 - 1) < 4 * np.sqrt(2 / 400)


@pytest.mark.parametrize(("coherence", "rows"), [(0.0, 0), (0.29, 29), (0.5, 50), (1.0, 60)])
def test_coherent_rows_read_one_coefficient_each(coherence, rows):
    basis = jnp.linalg.qr(jr.normal(jr.key(9), (60, 60)))[0]
    for columns in (None, basis):
        x = np.asarray(measure(jr.key(0), jnp.ones(60), n=100, coherence=coherence, basis=columns).train.x)
        np.testing.assert_array_equal(x[:rows], np.eye(60)[:rows])
        assert (np.abs(x[rows:]) > 0).all()


def test_a_basis_only_turns_the_random_rows():
    basis = jnp.linalg.qr(jr.normal(jr.key(9), (20, 20)))[0]
    plain = measure(jr.key(3), jnp.ones(20), n=7).train.x
    turned = measure(jr.key(3), jnp.ones(20), n=7, basis=basis).train.x
    np.testing.assert_allclose(turned, plain @ basis, rtol=0, atol=1e-14)


def test_the_digit_has_22_pixels():
    pixels = np.asarray(digit_zero())
    assert pixels.shape == (64,) and np.count_nonzero(pixels) == 22
    assert pixels[pixels > 0].min() == 0.5 and pixels.max() <= 1


@pytest.mark.parametrize("d", [1, 2, 7, 100])
def test_the_fourier_basis_is_orthonormal(d):
    columns = np.asarray(fourier(d))
    np.testing.assert_allclose(columns.T @ columns, np.eye(d), atol=1e-13)


def test_the_waves_have_six_real_coefficients_at_four_frequencies():
    found = np.asarray(fourier(100).T @ waves())
    large = np.flatnonzero(np.abs(found) > 1e-10)
    assert large.size == 6 and {(place + 1) // 2 for place in large} == {5, 10, 25, 40}
    # The transform of numpy has both signs of each frequency.
    assert set(np.flatnonzero(np.abs(np.fft.fft(np.asarray(waves()))) > 1e-9)) == {5, 10, 25, 40, 60, 75, 90, 95}


def test_a_polynomial_is_evaluated_at_its_points():
    problem = polynomial(jr.key(4), n=9, variables=3, sparsity=4)
    x, truth = np.asarray(problem.train.x) * 3, np.asarray(problem.truth)
    assert x.shape == (9, 9) and np.count_nonzero(truth) == 4
    a, b, c = x[:, 6:].T
    np.testing.assert_allclose(x[:, :6], np.stack([a * a, a * b, a * c, b * b, b * c, c * c], axis=1), rtol=1e-14)
    np.testing.assert_allclose(problem.train.y, np.asarray(problem.train.x) @ truth, rtol=0, atol=1e-13)
    centered = polynomial(jr.key(4), n=9, variables=3, sparsity=4, centered=True)
    moved = np.asarray(centered.train.x) * 3 - x
    np.testing.assert_allclose(moved, np.tile([-1, 0, 0, -1, 0, -1, 0, 0, 0], (9, 1)), atol=1e-14)


@pytest.mark.parametrize(
    ("bad", "word"),
    [
        ({"sparsity": 101}, "sparsity"),
        ({"sparsity": 0}, "sparsity"),
        ({"n": 0}, "n must be"),
        ({"coherence": 1.01}, "coherence"),
        ({"coherence": -0.1}, "coherence"),
        ({"noise": -1.0}, "noise"),
        ({"size": 0.0}, "size"),
        ({"basis": jnp.ones((100, 100))}, "orthonormal"),
        ({"basis": jnp.eye(99)}, "(99, 99)"),
    ],
)
def test_refusals(bad, word):
    with pytest.raises(BadInput) as refusal:
        compressed_sensing(jr.key(0), **SIZES | bad)
    assert word in str(refusal.value)


def test_a_polynomial_with_too_many_terms_is_refused():
    with pytest.raises(BadInput, match="9 coefficients"):
        polynomial(jr.key(0), n=5, variables=3, sparsity=10)
