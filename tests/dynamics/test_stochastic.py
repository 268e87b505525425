import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import optax
import pytest

from lazyrich.dynamics import GradientDescent, InverseTime, Stochastic
from lazyrich.errors import BadInput
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L1, L2

X = jnp.array([[1.0, 2.0, 0.5], [-1.0, 0.5, 1.0], [3.0, -1.0, 0.2], [0.1, 0.4, -2.0]])
Y = jnp.array([1.0, -2.0, 0.5, 1.0])
KEY, START = jr.key(0), np.array([0.5, -1.0, 2.0])
RATE, DECAY = 0.1, 0.3


def objective_with(*penalties, reduction="mean") -> Objective:
    return Objective(Split(X, Y), Squared(), reduction=reduction, penalties=penalties)


def adam_by_hand(*, coupled: bool, steps: int = 3) -> np.ndarray:
    """Three steps of Adam on the mean squared loss with decay, as published, from START."""
    weights, first, second = START.copy(), np.zeros(3), np.zeros(3)
    for k in range(1, steps + 1):
        slope = 2 * np.asarray(X).T @ (np.asarray(X) @ weights - np.asarray(Y)) / 4
        slope = slope + DECAY * weights if coupled else slope
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        move = first / (1 - 0.9**k) / (np.sqrt(second / (1 - 0.999**k)) + 1e-8)
        weights = weights - RATE * move - (0 if coupled else RATE * DECAY * weights)
    return weights


def test_sgd_on_all_samples_is_gradient_descent():
    objective = Objective(Split(X, jnp.sign(Y)), Logistic(), reduction="mean", penalties=[(L2(), 0.1), (L1(), 0.05)])
    net, when = DiagonalNet(jnp.full(3, 0.5), jnp.linspace(0.1, 0.9, 3)), jnp.array([0, 1, 7, 50])
    ours = jax.jit(lambda net: Stochastic(optax.sgd(0.05), KEY, coupled=True).run(objective, net, when))(net)
    plainly = jax.jit(lambda net: GradientDescent(0.05).run(objective, net, when))(net)
    np.testing.assert_array_equal(ours.models.u, plainly.models.u)
    np.testing.assert_array_equal(ours.models.v, plainly.models.v)
    apart = Stochastic(optax.sgd(0.05), KEY, coupled=False, learning_rate=0.05).run(objective, net, when)
    np.testing.assert_allclose(apart.models.u, plainly.models.u, rtol=0, atol=1e-13)


def test_adam_coupled_and_decoupled_are_their_formulas(plain):
    objective, ends = objective_with((L2(), DECAY)), {}
    for coupled, learning_rate in ((True, None), (False, RATE)):
        dynamics = Stochastic(optax.adam(RATE), KEY, coupled=coupled, learning_rate=learning_rate)
        ends[coupled] = dynamics.run(objective, plain(START), [0, 3]).end.weights
        np.testing.assert_allclose(ends[coupled], adam_by_hand(coupled=coupled), rtol=1e-12)
    assert np.abs(ends[True] - ends[False]).max() > 0.01
    adamw = Stochastic(optax.adamw(RATE, weight_decay=DECAY), KEY).run(objective_with(), plain(START), [0, 3])
    np.testing.assert_allclose(adamw.end.weights, ends[False], rtol=1e-13)


def test_schedules_of_a_over_b_plus_t_go_through_optax(plain):
    schedule = InverseTime(2.0, 10.0)
    ours = Stochastic(optax.sgd(schedule), KEY).run(objective_with(), plain(START), [0, 20])
    wanted = GradientDescent(schedule).run(objective_with(), plain(START), [0, 20])
    np.testing.assert_allclose(ours.end.weights, wanted.end.weights, rtol=1e-14)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_batches_are_right_on_average(reduction, plain):
    objective = objective_with((L2(), DECAY), reduction=reduction)

    @jax.jit
    @jax.vmap
    def move(key):
        dynamics = Stochastic(optax.sgd(RATE), key, batch=2, coupled=True)
        return dynamics.run(objective, plain(START), jnp.array([0, 1])).end.weights

    ends = np.asarray(move(jr.split(jr.key(1), 3000)))
    spots = np.unique(np.round(ends, 10), axis=0)
    assert len(spots) == 6  # the pairs of four samples
    mean = GradientDescent(RATE).run(objective, plain(START), [0, 1]).end.weights
    np.testing.assert_allclose(spots.mean(axis=0), mean, rtol=0, atol=1e-9)
    assert (np.abs(ends.mean(axis=0) - mean) < 5 * ends.std(axis=0) / np.sqrt(3000)).all()


def test_a_batch_of_all_is_all(plain):
    whole, batch = (
        Stochastic(optax.sgd(0.01), KEY, batch=size).run(objective_with(), plain(START), [0, 9]).end.weights for size in (None, 4)
    )
    np.testing.assert_allclose(batch, whole, rtol=1e-13)


def test_keys_and_rates_are_batch_axes(plain):
    def run(key, learning_rate):
        return (
            Stochastic(optax.adam(learning_rate), key, batch=1).run(objective_with(), plain(START), jnp.array([0, 5])).end.weights
        )

    keys, rates = jr.split(KEY, 3), jnp.array([0.1, 0.01, 0.1])
    many = jax.jit(jax.vmap(run))(keys, rates)
    for index in range(3):
        np.testing.assert_allclose(many[index], run(keys[index], rates[index]), rtol=1e-12)


def test_what_is_not_said_is_asked_for(plain):
    with pytest.raises(BadInput, match="penalties without `coupled`"):
        Stochastic(optax.sgd(0.1), KEY).run(objective_with((L1(), 0.1)), plain(START), [0, 1])
    for wrong in ({"coupled": False}, {"coupled": True, "learning_rate": 0.1}, {"learning_rate": 0.1}):
        with pytest.raises(BadInput, match="takes learning_rate with coupled=False, and only then"):
            Stochastic(optax.sgd(0.1), KEY, **wrong)
    with pytest.raises(BadInput, match="4 samples.*batch=5"):
        Stochastic(optax.sgd(0.1), KEY, batch=5).run(objective_with(), plain(START), [0, 1])
    with pytest.raises(BadInput, match="batch must be a whole number"):
        Stochastic(optax.sgd(0.1), KEY, batch=0)
