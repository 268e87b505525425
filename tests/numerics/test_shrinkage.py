import numpy as np
import pytest

from lazyrich.numerics.shrinkage import Shrunk


@pytest.mark.parametrize("shape", [(5, 5), (4, 7), (7, 4), (1, 3), (3, 1)])
@pytest.mark.parametrize("threshold", [0.0, 1.0, 100.0])
def test_the_derivative_is_that_of_differences(shape, threshold):
    rng = np.random.default_rng(0)
    z, h, step = rng.normal(size=shape), rng.normal(size=shape), 1e-6
    shrunk = Shrunk.of(z, threshold)
    ahead, behind = Shrunk.of(z + step * h, threshold).matrix, Shrunk.of(z - step * h, threshold).matrix
    # Central differences are off by step^2 and by rounding over the step.
    np.testing.assert_allclose(shrunk.along(h, shrunk.slopes()), (ahead - behind) / (2 * step), atol=1e-8)


def test_it_is_the_nearest_with_the_nuclear_norm_added():
    rng = np.random.default_rng(1)
    z, threshold = rng.normal(size=(4, 6)), 0.7
    answer = Shrunk.of(z, threshold).matrix

    def cost(matrix):
        return np.linalg.norm(matrix - z) ** 2 / 2 + threshold * np.linalg.norm(matrix, "nuc")

    assert all(cost(answer) <= cost(answer + 1e-3 * rng.normal(size=z.shape)) for _ in range(20))


def test_the_parts_add_up():
    z = np.random.default_rng(2).normal(size=(5, 3))
    shrunk = Shrunk.of(z, 1.2)
    np.testing.assert_allclose(shrunk.matrix + shrunk.clipped, z, atol=1e-14)
    assert np.linalg.norm(shrunk.clipped, 2) <= 1.2 * (1 + 1e-14)
    assert shrunk.rank == np.linalg.matrix_rank(shrunk.matrix)


def test_equal_singular_values_do_no_harm():
    shrunk = Shrunk.of(np.eye(4), 0.5)
    # On the identity the map is Z - U V^T / 2 of the polar factor: symmetric directions pass, others are halved.
    h = np.random.default_rng(3).normal(size=(4, 4))
    expected = (h + h.T) / 2 + (h - h.T) / 4
    np.testing.assert_allclose(shrunk.along(h, shrunk.slopes()), expected, atol=1e-14)
