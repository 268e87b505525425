import numpy as np
import pytest

from lazyrich.numerics.graded import graded_svd


@pytest.mark.parametrize("shape", [(6, 9), (9, 6), (5, 5), (1, 4), (4, 1)])
def test_every_entry_keeps_its_digits(shape):
    rng = np.random.default_rng(0)
    x = rng.normal(size=shape) * 10.0 ** rng.integers(-8, 9, size=(shape[0], 1)) * 10.0 ** rng.integers(-4, 5, size=shape[1])
    left, sizes, right = graded_svd(x)
    # Rounding times the condition of the tame part, entry by entry: a plain decomposition misses small rows altogether.
    np.testing.assert_allclose((left * sizes) @ right, x, rtol=1e-11)
    np.testing.assert_allclose(right @ right.T, np.eye(min(shape)), atol=1e-13)
    np.testing.assert_allclose(left.T @ left, np.eye(min(shape)), atol=1e-13)
    assert (np.diff(sizes) <= 0).all()


def test_tame_matrices_as_usual():
    x = np.random.default_rng(1).normal(size=(7, 12))
    np.testing.assert_allclose(graded_svd(x)[1], np.linalg.svd(x, compute_uv=False), rtol=1e-13)


def test_dependent_rows_and_zeros():
    x = np.random.default_rng(2).normal(size=(4, 6))
    x[3], x[1] = x[0], 0
    sizes = graded_svd(x)[1]
    assert (sizes[:2] > 0.5).all() and (sizes[2:] < 1e-14).all()
    assert not graded_svd(np.zeros((2, 3)))[1].any()
