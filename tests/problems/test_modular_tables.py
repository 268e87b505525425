import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import modular_table
from lazyrich.problems.modular_tables import OPERATIONS


def pairs(problem):
    return np.concatenate([problem.train.x, problem.test.x]), np.concatenate([problem.train.y, problem.test.y])


@pytest.mark.parametrize("operation", OPERATIONS)
def test_answers_undo_the_operation(operation):
    problem = modular_table(jr.key(0), operation=operation, modulus=7, train_fraction=0.4)
    x, y = pairs(problem)
    a, b = x.T
    back = {
        "addition": (y - b - a) % 7,
        "subtraction": (y + b - a) % 7,
        "multiplication": (y - a * b) % 7,
        "division": (y * b - a) % 7,
    }
    np.testing.assert_array_equal(back[operation], 0)
    count = 42 if operation == "division" else 49
    assert len({tuple(pair) for pair in x}) == count and problem.train.n == int(0.4 * count)
    np.testing.assert_array_equal(problem.truth[a.astype(int), b.astype(int)], y)


def test_without_order_each_pair_is_there_once():
    x, _ = pairs(modular_table(jr.key(1), operation="addition", modulus=7, train_fraction=0.5, unordered=True))
    assert len({frozenset(pair) for pair in x.tolist()}) == len(x) == 28


def test_refusals():
    with pytest.raises(BadInput, match="division needs a prime modulus"):
        modular_table(jr.key(0), operation="division", modulus=9)
    with pytest.raises(BadInput, match="an operation is one of"):
        modular_table(jr.key(0), operation="power", modulus=7)
    with pytest.raises(BadInput, match="pairs without order fit addition"):
        modular_table(jr.key(0), operation="subtraction", modulus=7, unordered=True)
    with pytest.raises(BadInput, match="a train_fraction strictly between"):
        modular_table(jr.key(0), operation="addition", modulus=7, train_fraction=1.0)
