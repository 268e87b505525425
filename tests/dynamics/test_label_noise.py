import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import GradientDescent, LabelNoiseSGD
from lazyrich.errors import BadInput
from lazyrich.losses import Logistic, Squared
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L2

X = jnp.array([[1.0, 2.0], [-1.0, 0.5], [3.0, -1.0]])
Y = jnp.array([1.0, -2.0, 0.5])
RATE, NOISE = 0.1, 0.7


@pytest.fixture(scope="module")
def steps(plain):
    """Single steps from one place, one for each key."""

    @jax.jit
    def run(keys, weights, answers):
        objective = Objective(Split(X, answers), Squared(), reduction="mean")
        move = jax.vmap(lambda key: LabelNoiseSGD(key, RATE, NOISE).run(objective, plain(weights), jnp.array([0, 1])).end)
        return move(keys).weights - weights

    return run


def test_mean_and_spread_of_a_step_are_those_of_equation_6(steps):
    keys, weights = jr.split(jr.key(0), 40_000), jnp.array([0.3, -0.4])
    moves = np.asarray(steps(keys, weights, Y)) / RATE
    missed = np.asarray(X @ weights - Y)
    mean = -2 * np.mean(missed[:, None] * X, axis=0)
    # The second moment of 2 (r_i + xi) x_i: 4 (r_i^2 + noise^2) x_i x_i^T on average.
    second = 4 * np.einsum("i,ij,ik->jk", missed**2 + NOISE**2, X, X) / 3
    spread = np.sqrt(np.diag(second) - mean**2)
    assert (np.abs(moves.mean(axis=0) - mean) < 5 * spread / np.sqrt(len(keys))).all()
    # Fourth moments of Gaussians: a standard error of about 0.17 here.
    np.testing.assert_allclose(moves.T @ moves / len(keys), second, rtol=0, atol=0.8)


def test_where_the_data_are_fitted_only_the_noise_moves(steps):
    weights = jnp.array([0.3, -0.4])
    moves = np.asarray(steps(jr.split(jr.key(1), 500), weights, X @ weights)) / RATE
    # Each move is 2 xi x_i: parallel to one of the inputs, its length over 2 |x_i| a draw of the noise.
    across = np.abs(moves[:, :1] * X[:, 1] - moves[:, 1:] * X[:, 0])
    which = np.argmin(across, axis=1)
    assert (across[np.arange(500), which] < 1e-12).all() and set(which) == {0, 1, 2}
    draws = np.linalg.norm(moves, axis=1) / (2 * np.linalg.norm(X, axis=1)[which])
    np.testing.assert_allclose(np.mean(draws**2), NOISE**2, rtol=0.3)


def test_without_noise_to_speak_of_one_sample_descends_as_it_does_alone(plain):
    objective = Objective(Split(X[:1], Y[:1]), Squared(), reduction="mean", penalties=[(L2(), 0.3)])
    noisy = LabelNoiseSGD(jr.key(0), 0.05, 1e-14).run(objective, plain([1.0, 1.0]), [0, 20])
    still = GradientDescent(0.05).run(objective, plain([1.0, 1.0]), [0, 20])
    np.testing.assert_allclose(noisy.end.weights, still.end.weights, rtol=0, atol=1e-12)


def test_the_factor_multiplies_the_step(plain):
    ends = []
    for reduction, learning_rate in (("sum", 0.01), ("mean", 0.03)):
        objective = Objective(Split(X, Y), Squared(), reduction=reduction)
        ends.append(LabelNoiseSGD(jr.key(5), learning_rate).run(objective, plain([1.0, 1.0]), [0, 10]).end.weights)
    np.testing.assert_allclose(*ends, rtol=1e-13)


def test_the_same_key_gives_the_same_numbers_and_another_one_others(plain):
    objective = Objective(Split(X, Y), Squared(), reduction="mean")
    one, two, other = (LabelNoiseSGD(jr.key(k), 0.01).run(objective, plain([1.0, 1.0]), [0, 5]).end.weights for k in (7, 7, 8))
    np.testing.assert_array_equal(one, two)
    assert np.abs(one - other).max() > 1e-6


def test_labels_are_refused(plain):
    objective = Objective(Split(X, jnp.sign(Y)), Logistic(), reduction="mean")
    with pytest.raises(BadInput, match="squared loss; got Logistic"):
        LabelNoiseSGD(jr.key(0), 0.1).run(objective, plain([1.0, 1.0]), [0, 1])
