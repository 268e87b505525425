import jax.numpy as jnp
import pytest

from lazyrich.errors import BadInput
from lazyrich.measures import relative_error
from lazyrich.models import Linear, Matrix
from lazyrich.problems import Entries, Split

X = jnp.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def test_the_share_of_squares_that_is_missed():
    data = Split(X, jnp.array([1.0, 2.0, 3.0]))
    assert float(relative_error(Linear(jnp.array([1.0, 2.0])), data)) == 0.0
    assert float(relative_error(Linear(jnp.zeros(2)), data)) == 1.0
    assert float(relative_error(Linear(jnp.array([1.0, 0.0])), data)) == pytest.approx((4 + 4) / 14)


def test_entries_of_a_matrix():
    data = Entries(jnp.array([0, 1]), jnp.array([0, 1]), jnp.array([3.0, 4.0]), (2, 2))
    assert float(relative_error(Matrix(jnp.array([[3.0, 9.0], [9.0, 0.0]])), data)) == pytest.approx(16 / 25)


def test_answers_of_another_shape_are_refused():
    with pytest.raises(BadInput, match="same shape"):
        relative_error(Linear(jnp.zeros(2)), Split(X, jnp.zeros((3, 1))))
