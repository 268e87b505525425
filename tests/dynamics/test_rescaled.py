import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import logsumexp

from lazyrich.dynamics import GradientDescent, Outcome, RescaledDescent
from lazyrich.errors import BadInput
from lazyrich.losses import Exponential, Logistic, Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L2

ONE = Split(jnp.array([[0.6, -0.8]]), jnp.ones(1))
TWO = Split(jnp.array([[1.0, 0.2], [0.3, -1.0]]), jnp.array([1.0, -1.0]))


def test_one_sample_has_a_closed_form_up_to_ten_to_the_ten_thousand(plain):
    # log L = -w x is linear: k steps move w by k rate x, and t = sum_j rate e^{q_0 + j rate |x|^2}.
    learning_rate, count = 0.1, 230_260
    objective = Objective(ONE, Exponential(), reduction="sum")
    path = RescaledDescent(learning_rate).run(
        objective, plain([0.5, 0.0]), [0, 1, 10, count], read={"log_loss": objective.log_data_loss}
    )
    steps = np.array([1, 10, count])
    np.testing.assert_allclose(path.reads["log_loss"], -0.3 - learning_rate * np.array([0, *steps]), rtol=1e-10)
    wanted = (
        np.log(learning_rate)
        + 0.3
        + steps * learning_rate
        + np.log(-np.expm1(-steps * learning_rate))
        - np.log(np.expm1(learning_rate))
    )
    assert path.reads["log_time"][0] == -np.inf
    np.testing.assert_allclose(path.reads["log_time"][1:], wanted, rtol=1e-10)
    assert path.reads["log_time"][-1] / np.log(10) > 1e4  # t beyond 10^(10^4)
    assert path.outcome.code == Outcome.END and path.certificates["rises"] == 0


@pytest.mark.parametrize("loss", [Exponential(), Logistic()], ids=lambda loss: type(loss).__name__)
def test_it_is_descent_on_the_log_loss_by_hand(loss, plain):
    objective = Objective(TWO, loss, reduction="mean")
    path = RescaledDescent(0.3).run(objective, plain([0.2, -0.1]), [0, 4])
    weights, log_times = np.array([0.2, -0.1]), []
    for _ in range(4):
        margins = np.asarray(TWO.y) * (np.asarray(TWO.x) @ weights)
        each = -margins if isinstance(loss, Exponential) else np.log(np.log1p(np.exp(-margins)))
        ratio = 1.0 if isinstance(loss, Exponential) else 1 / (1 + np.exp(margins)) / np.log1p(np.exp(-margins))
        shares = np.exp(each - logsumexp(each))
        log_times.append(np.log(0.3) - (logsumexp(each) - np.log(2)))
        weights = weights + 0.3 * (shares * ratio * np.asarray(TWO.y)) @ np.asarray(TWO.x)
    np.testing.assert_allclose(path.end.weights, weights, rtol=1e-13)
    np.testing.assert_allclose(path.reads["log_time"][-1], logsumexp(log_times), rtol=1e-13)


def test_a_step_is_the_rate_over_the_loss(plain):
    objective = Objective(TWO, Logistic(), reduction="mean")
    init = plain([0.2, -0.1])
    found = RescaledDescent(1e-3).run(objective, init, [0, 1]).end.weights
    wanted = GradientDescent(1e-3 / float(objective(init))).run(objective, init, [0, 1]).end.weights
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_the_first_stage_is_plain_descent_and_the_second_begins_below_the_level(plain):
    objective, init = Objective(TWO, Logistic(), reduction="mean"), plain([0.2, -0.1])
    when = np.arange(61)
    dynamics = RescaledDescent(0.05, first=0.5, until=-2.0)
    path = dynamics.run(objective, init, when, read={"log_loss": objective.log_data_loss, "w": lambda net: net.weights})
    switch = int(np.argmax(np.asarray(path.reads["log_loss"]) <= -2.0))
    assert 5 < switch < 55
    still = GradientDescent(0.5).run(objective, init, when, read={"w": lambda net: net.weights})
    np.testing.assert_allclose(path.reads["w"][: switch + 1], still.reads["w"][: switch + 1], rtol=1e-12)
    np.testing.assert_allclose(path.reads["log_time"][1 : switch + 1], np.log(0.5 * when[1 : switch + 1]), atol=1e-13)
    late = 0.05 / np.exp(np.asarray(path.reads["log_loss"])[switch:-1])
    sums = 0.5 * switch + np.cumsum(late)
    np.testing.assert_allclose(path.reads["log_time"][switch + 1 :], np.log(sums), rtol=1e-12)


def test_deep_below_the_smallest_number_a_net_moves_on():
    objective = Objective(TWO, Logistic(), reduction="mean")
    net = DiagonalNet(jnp.array([40.0, 40.0]), jnp.array([1.0, 1.0]))  # margins 1919 and 1119
    path = RescaledDescent(1e-3).run(objective, net, [0, 20], read={"log_loss": objective.log_data_loss})
    assert objective.data_loss(net) == 0 and path.outcome.ok
    assert path.reads["log_loss"][1] < path.reads["log_loss"][0] < -1000


def test_steps_that_raise_the_loss_are_counted(plain):
    # From zero, steps of 50 lift the smaller of two margins and push the other below zero.
    objective = Objective(Split(jnp.array([[1.0, 0.2], [-0.9, 1.0]]), jnp.ones(2)), Exponential(), reduction="mean")
    run = jax.jit(
        lambda learning_rate: RescaledDescent(learning_rate).run(objective, plain([0.0, 0.0]), jnp.array([0, 4])).certificates
    )
    assert run(50.0)["rises"] > 0 and run(0.05)["rises"] == 0


def test_the_rate_shrinks_where_steps_raise_the_loss(plain):
    objective = Objective(Split(jnp.array([[1.0, 0.2], [-0.9, 1.0]]), jnp.ones(2)), Exponential(), reduction="mean")
    guarded, fixed = (
        RescaledDescent(50.0, shrink=shrink).run(objective, plain([0.0, 0.0]), [0, 30], read={}) for shrink in (0.5, 1.0)
    )
    assert fixed.certificates["shrunk"] == 1 and fixed.certificates["rises"] > guarded.certificates["rises"] > 0
    assert guarded.certificates["shrunk"] == 0.5 ** float(guarded.certificates["rises"])


@pytest.mark.parametrize("shrink", [0.0, 1.5, float("nan")])
def test_a_rate_that_would_grow_or_vanish_is_refused(shrink):
    with pytest.raises(BadInput, match="0 < shrink <= 1"):
        RescaledDescent(shrink=shrink)


def test_penalties_and_losses_that_reach_zero_are_refused(plain):
    with pytest.raises(BadInput, match="takes no penalties; got L2"):
        objective = Objective(TWO, Logistic(), reduction="mean", penalties=[(L2(), 0.0)])
        RescaledDescent().run(objective, plain([0.0, 0.0]), [0, 1])
    with pytest.raises(BadInput, match="never reaches zero; got Squared"):
        RescaledDescent().run(Objective(TWO, Squared(), reduction="mean"), plain([0.0, 0.0]), [0, 1])
