import numpy as np
import pytest

from lazyrich.predictors.parts.measurements import Arrays, Places


def places(rng, n=12) -> Places:
    return Places(rng.integers(0, 4, n), rng.integers(0, 5, n), (4, 5))


def arrays(rng, n=12) -> Arrays:
    x = rng.normal(size=(n, 20))
    x[n - 1] = 3 * x[0]
    return Arrays(x, (4, 5))


both = pytest.mark.parametrize("make", [places, arrays])


@both
def test_reading_and_spreading_are_adjoint(make):
    rng = np.random.default_rng(0)
    given = make(rng)
    matrix, dual = rng.normal(size=(4, 5)), rng.normal(size=12)
    assert given.read(matrix) @ dual == pytest.approx(np.sum(matrix * given.spread(dual)), rel=1e-12)


@both
def test_turning_is_turning_the_matrix(make):
    rng = np.random.default_rng(1)
    given, core = make(rng), rng.normal(size=(3, 2))
    left, right = rng.normal(size=(4, 3)), rng.normal(size=(5, 2))
    turned = np.tensordot(given.turned(left, right), core, 2)
    np.testing.assert_allclose(turned, given.read(left @ core @ right.T), atol=1e-12)


@both
@pytest.mark.parametrize("name", ["equations", "spectrum"])
def test_the_equivalent_equations_are_orthonormal(make, name):
    rng = np.random.default_rng(2)
    given, matrix = make(rng), rng.normal(size=(4, 5))
    y = given.read(matrix)
    found = getattr(given, name)(y)
    k = found.target.size
    gram = np.array([found.basis.read(found.basis.spread(row)) for row in np.eye(k)])
    np.testing.assert_allclose(gram, np.eye(k), atol=1e-12)
    kept = found.sizes > 1e-10 if name == "spectrum" else np.ones(k, bool)  # the repeated measurement has a size of rounding
    np.testing.assert_allclose(found.basis.read(matrix)[kept], found.target[kept], atol=1e-10)
    dual = rng.normal(size=k) * kept
    np.testing.assert_allclose(given.spread(found.lift @ dual), found.basis.spread(dual), atol=1e-10)
    assert found.proof is None


@both
def test_the_spectrum_says_least_squares(make):
    rng = np.random.default_rng(3)
    given, y = make(rng), rng.normal(size=12)
    found = given.spectrum(y)

    def excess(matrix):
        far = found.sizes * (found.basis.read(matrix) - found.target)
        return np.sum((given.read(matrix) - y) ** 2) - far @ far

    constants = [excess(rng.normal(size=(4, 5))) for _ in range(3)]
    np.testing.assert_allclose(constants, constants[0], atol=1e-10)


def test_a_place_given_twice():
    given = Places(np.array([1, 0, 1]), np.array([2, 0, 2]), (2, 3))
    same = given.equations(np.array([5.0, 1.0, 5.0 + 1e-13]))
    assert same.proof is None and same.target.size == 2
    proof = given.equations(np.array([5.0, 1e9, 5.001])).proof
    np.testing.assert_allclose(proof, [-np.sqrt(0.5), 0, np.sqrt(0.5)])
    assert not given.spread(proof).any()


def test_missing_the_answers_counts_relative_to_them():
    given = Places(np.array([0, 1]), np.array([0, 1]), (2, 2))
    assert given.residual(np.array([3.0, 4.0]), np.diag([3.0, 4.0])) == 0
    assert given.residual(np.array([3.0, 4.0]), np.zeros((2, 2))) == pytest.approx(1)
    assert given.residual(np.zeros(2), np.eye(2)) == np.inf and given.residual(np.zeros(2), np.zeros((2, 2))) == 0
