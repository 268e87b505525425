import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.numerics.imbalance import Imbalance, difference, eigenvalues, place


def layers(rows: int, others: int, width: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    return jnp.asarray(rng.standard_normal((rows, width))), jnp.asarray(rng.standard_normal((others, width)))


@pytest.mark.parametrize("rows, others, width", [(4, 2, 6), (2, 3, 20), (3, 3, 4)])
def test_eigenvalues_are_those_of_the_whole_matrix(rows, others, width):
    first, second = layers(rows, others, width)
    whole = np.linalg.eigvalsh(np.asarray(difference(first, second)))
    found = np.asarray(eigenvalues(first, second))
    # Beyond rows + others the whole matrix has zeros only.
    kept = np.sort(np.concatenate([found, np.zeros(max(width - found.size, 0))]))
    np.testing.assert_allclose(kept, whole, atol=1e-12)


def test_ends_of_a_known_spectrum():
    ends = Imbalance.of(jnp.array([-3.0, -1.0, 0.5, 2.0, 7.0]), rows=3, others=2)
    assert [float(part) for part in ends] == [7.0, 0.5, 3.0, 1.0]
    assert float(ends.level) == 1.5 and [float(part) for part in ends.spreads] == [6.5, 2.0]


def test_a_place_of_the_other_sign_or_beyond_the_last_counts_as_zero():
    ends = Imbalance.of(jnp.array([-3.0, 2.0]), rows=2, others=3)
    assert float(ends.bottom) == 0 and float(ends.low_bottom) == 0
    assert float(place(jnp.array([5.0, 4.0]), 2)) == 4 and float(place(jnp.array([5.0, 4.0]), 3)) == 0


def test_the_rate_is_twice_the_squares():
    ends = Imbalance.of(eigenvalues(*layers(4, 2, 7)), rows=4, others=2)
    squares = ends.squares_at_least(0.7, 0.0)
    np.testing.assert_allclose(ends.rate_at_least(0.7, 0.0), 2 * sum(squares), rtol=1e-12)


def test_scalars_attain_the_bound():
    first, second = layers(1, 1, 1)
    ends = Imbalance.of(eigenvalues(first, second), rows=1, others=1)
    product = jnp.abs(first @ second.T)[0, 0]
    np.testing.assert_allclose(ends.squares_at_least(product, product), [second[0, 0] ** 2, first[0, 0] ** 2], rtol=1e-12)


def test_without_imbalance_only_the_product_is_left():
    ends = Imbalance(*[jnp.zeros(())] * 4)
    assert float(ends.rate_at_least(3.0, 0.0)) == 6 and float(ends.rate_at_least(3.0, 3.0)) == 12
