"""Forecasts of each kind on tiny trainings, compared with the run where a transition is forecast."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

import lazyrich as lz
from lazyrich.errors import BadInput
from lazyrich.forecast import pilot
from lazyrich.forecast.experiments import find
from lazyrich.forecast.forecast import forecast
from lazyrich.forecast.transition import seen
from lazyrich.losses import CrossEntropy, Logistic, Squared
from lazyrich.models import DiagonalNet, Doubled, Function, Linear, Matrix
from lazyrich.regularizers import L1, L2, Nuclear

ALPHA, DECAY = 20.0, 2e-2


@pytest.fixture(scope="module")
def problem():
    return lz.problems.sparse_classification(jr.key(3), n=24, d=40, sparsity=3, test=500)


def decayed(problem, weight_decay=DECAY, loss=None):
    return lz.Objective(problem.train, loss or Logistic(), reduction="mean", penalties=[(L2(), weight_decay)])


@pytest.fixture(scope="module")
def predicted(problem):
    return forecast(decayed(problem), DiagonalNet.at_scale(ALPHA, dim=40), test=problem.test)


def test_a_grokking_net_switches_when_predicted(problem, predicted):
    assert predicted.will_switch and predicted.reason.startswith("groks")
    assert (
        predicted.early.kind == predicted.late.kind == "solved" and predicted.early.test_error > predicted.late.test_error + 0.1
    )
    assert predicted.details["alpha"] > predicted.details["cheap_run_alpha"] == 4.0
    low, middle, high = predicted.switch
    assert low < middle < high and predicted.early.test_error == predicted.as_json()["early"]["test_error"]
    objective, init = decayed(problem), DiagonalNet.at_scale(ALPHA, dim=40)
    when = pilot.moments((np.log(ALPHA) + 10) / DECAY)
    train, test, finite = pilot.run(pilot.flow(objective, init), objective, init, when, problem.test)
    found = seen(when, train, test, "accuracy")
    assert finite and predicted.switch.low <= found.time <= predicted.switch.high
    # The early level is that of the kernel, the late one that of a small decay; the test has 500 points.
    assert abs(found.early - predicted.early.test_error) < 0.03 and abs(found.late - predicted.late.test_error) < 0.08


def test_descent_counts_steps_and_momentum_runs_ten_times_as_fast(problem, predicted):
    init = DiagonalNet.at_scale(ALPHA, dim=40)
    steps = forecast(decayed(problem), init, test=problem.test, optimizer=lz.dynamics.GradientDescent(1e-4))
    quick = forecast(decayed(problem), init, test=problem.test, optimizer="momentum", learning_rate=1e-4)
    assert steps.switch.unit == "steps" and predicted.switch.unit == "time"
    np.testing.assert_allclose(steps.switch.middle, predicted.switch.middle / 1e-4)
    np.testing.assert_allclose(quick.switch.middle, steps.switch.middle / 10)
    widths = [(one.switch.high - one.switch.low) / one.switch.middle for one in (predicted, steps, quick)]
    assert widths[0] < widths[1] < widths[2]


def test_without_a_cheap_run_the_interval_is_wider_and_holds_the_other(problem, predicted):
    alone = forecast(decayed(problem), DiagonalNet.at_scale(ALPHA, dim=40), test=problem.test, cheap_run=False)
    assert alone.will_switch and alone.switch.low <= predicted.switch.middle <= alone.switch.high
    assert alone.switch.high - alone.switch.low > predicted.switch.high - predicted.switch.low


def test_a_larger_initialization_switches_a_logarithm_later(problem, predicted):
    later = forecast(decayed(problem), DiagonalNet.at_scale(3 * ALPHA, dim=40), test=problem.test)
    np.testing.assert_allclose(later.switch.middle - predicted.switch.middle, np.log(3) / DECAY, rtol=1e-6)


def test_no_transition_says_why(problem):
    test = problem.test
    small = forecast(decayed(problem), DiagonalNet.at_scale(0.01, dim=40), test=test)
    heavy = forecast(decayed(problem, 2.0), DiagonalNet.at_scale(ALPHA, dim=40), test=test)
    plain = forecast(decayed(problem), Linear(jnp.zeros(40)), test=test)
    for predicted, why in ((small, "rich from the beginning"), (heavy, "not fitted in the end"), (plain, "degree 1")):
        assert not predicted.will_switch and predicted.switch is None and why in predicted.reason
    full = lz.problems.sparse_recovery(jr.key(0), n=20, d=10, sparsity=2)
    objective = lz.Objective(full.train, Squared(), reduction="mean", penalties=[(L2(), 1e-2)])
    alone = forecast(objective, DiagonalNet.at_scale(4.0, dim=10), test=full.test, cheap_run=False)
    assert not alone.will_switch and "are the same" in alone.reason  # more samples than unknowns leave no choice


def test_without_decay_the_late_solution_is_that_of_the_scale():
    found = {}
    for alpha in (0.01, 10.0):
        composed = find("sparse_regression").at({"n": 20, "d": 40, "sparsity": 2, "alpha": alpha})
        found[alpha] = forecast(composed.objective, composed.init, test=composed.test)
    small, large = found.values()
    for predicted in (small, large):
        assert not predicted.will_switch and "nothing moves" in predicted.reason and "entropy" in predicted.late.says
    assert small.late.test_error < 0.05  # a small start ends near the least l1 norm, and no kernel speaks for it on the way
    assert small.early == small.late and "rich from the beginning" in small.reason
    assert "kernel" in large.early.says and large.early.test_error > 0.05


def test_labels_without_decay_never_come_to_rest(problem):
    predicted = forecast(decayed(problem, 0.0), DiagonalNet.at_scale(ALPHA, dim=40), test=problem.test)
    assert not predicted.will_switch and "no penalty" in predicted.reason and "log t" in predicted.reason
    assert (
        "kernel" in predicted.early.says
        and "l1 margin" in predicted.late.says
        and predicted.late.test_error < predicted.early.test_error
    )
    small = forecast(decayed(problem, 0.0), DiagonalNet.at_scale(1e-3, dim=40), test=problem.test)
    assert small.early.test_error is None and small.late == predicted.late


def test_decay_removes_what_no_sample_sees_of_a_plain_start():
    problem = lz.problems.sparse_recovery(jr.key(0), n=20, d=40, sparsity=2)
    objective = lz.Objective(problem.train, Squared(), reduction="mean", penalties=[(L2(), 1e-3)])
    init = Linear(10 * jr.normal(jr.key(1), (40,)))
    predicted = forecast(objective, init, test=problem.test)
    when = jnp.asarray(pilot.moments(12e3))
    train, test, finite = pilot.run(pilot.flow(objective, init), objective, init, when, problem.test)
    found = seen(np.asarray(when), train, test, "error", early=predicted.early.test_error)
    assert finite and found.switched and predicted.will_switch and predicted.switch.low <= found.time <= predicted.switch.high
    # The ridge is what is left at the end, up to exp(-12); before, squares of what no sample sees fall as exp(-2 decay t).
    np.testing.assert_allclose(predicted.late.test_error, found.late, rtol=1e-3)
    np.testing.assert_allclose(predicted.switch.middle, np.log(2) / 2e-3, rtol=0.02)
    assert "ridge" in predicted.late.says and 0.9 < np.interp(20.0, when, test) / predicted.early.test_error < 1
    with pytest.raises(BadInput, match="Allow the cheap run"):
        forecast(objective, init, test=problem.test, cheap_run=False)
    still = forecast(objective, Linear(jnp.zeros(40)), test=problem.test)
    assert not still.will_switch and "degree 1" in still.reason and still.late == predicted.late


def test_a_weak_l1_penalty_is_predicted_by_the_slow_flow():
    composed = find("l1_recovery").at({"n": 20, "d": 40, "strength": 1e-3})
    predicted = forecast(composed.objective, composed.init, test=composed.test, optimizer=composed.dynamics)
    train, test, finite = pilot.run(composed.dynamics, composed.objective, composed.init, composed.when, composed.test)
    found = seen(np.asarray(composed.when), train, test, "error", early=predicted.early.test_error)
    assert finite and predicted.will_switch and predicted.switch.low <= found.time <= predicted.switch.high
    with pytest.raises(BadInput, match="keep its strength"):
        forecast(composed.objective, composed.init, test=composed.test, optimizer="adam", learning_rate=1e-3)


def test_a_weak_nuclear_penalty_too():
    problem = lz.problems.low_rank_product(jr.key(1), rows=6, cols=6, rank=1, n=24)
    objective = lz.Objective(problem.train, Squared(), reduction="half_sum", penalties=[(Nuclear(), 1e-3)])
    predicted = forecast(objective, Matrix(jnp.zeros((6, 6))), test=problem.test)
    assert predicted.will_switch and predicted.late.kind == "solved" and predicted.details["slow_time"] > 0


def bad(problem, init, match, **other):
    with pytest.raises(BadInput, match=match):
        forecast(other.pop("objective", decayed(problem)), init, **{"test": problem.test, **other})


def test_what_cannot_be_forecast_is_refused(problem):
    net = DiagonalNet.at_scale(ALPHA, dim=40)
    bad(problem, DiagonalNet(net.u.at[3].set(jnp.nan), net.v), "finite")
    bad(problem, net, "kind of the training data", test=lz.Entries(jnp.zeros(1, int), jnp.zeros(1, int), jnp.ones(1), (2, 2)))
    bad(problem, net, "labels", test=lz.Split(jnp.ones((3, 40)), jnp.arange(3.0)))
    bad(problem, net, "below 2", optimizer="descent", learning_rate=10.0)
    bad(problem, net, "learning rate None", optimizer="adamw")
    bad(problem, net, "clocks", optimizer="lion", learning_rate=1e-3)
    bad(problem, net, "1,000,000 at most", optimizer="adamw", learning_rate=1e-5)
    mixed = lz.Objective(problem.train, Squared(), reduction="mean", penalties=[(L2(), 1e-2), (L1(), 1e-2)])
    bad(problem, net, "alone", objective=mixed)
    with pytest.raises(BadInput, match="one class a sample"):
        lz.Objective(problem.train, CrossEntropy(), reduction="mean")


def test_a_cheap_run_that_fails_is_no_forecast(problem, monkeypatch):
    monkeypatch.setattr(pilot, "run", lambda *given: (*np.full((2, 240), np.nan), False))
    bad(problem, DiagonalNet.at_scale(ALPHA, dim=40), "stays finite")


def test_models_that_are_not_homogeneous_are_refused_with_what_was_measured(problem):
    key = jr.key(0)
    weights = {"in": jr.normal(key, (40, 5)), "out": jr.normal(jr.fold_in(key, 1), (5,))}

    def normalized(theta, x):
        hidden = x @ theta["in"]
        return (hidden - hidden.mean()) / hidden.std() @ (theta["out"] / jnp.linalg.norm(theta["out"]))

    def saturating(theta, x):
        return jnp.tanh(x @ theta["in"]) @ theta["out"]

    bad(problem, Function(weights, normalized), "normalization")
    bad(problem, Function(weights, saturating), "measured degrees from")


def test_a_model_that_is_nearly_homogeneous_gets_a_wider_interval(problem, predicted):
    class Near(eqx.Module):
        net: DiagonalNet
        tilt: float = eqx.field(static=True)

        def __call__(self, x):
            # An output of degree 2, and a little of degree 2 + tilt.
            size = jnp.sum(self.net.u**2 + self.net.v**2) / 80
            return self.net(x) * size ** (self.tilt * jnp.sign(x[0]) / 2)

    near = forecast(decayed(problem), Near(DiagonalNet.at_scale(ALPHA, dim=40), 0.1), test=problem.test)
    assert "not quite homogeneous" in near.reason and near.details["departure"] > 0.05
    assert near.switch.high - near.switch.low > 1.2 * (predicted.switch.high - predicted.switch.low)


def test_any_model_may_be_asked_of(problem):
    shape = {"in": 2 * jr.normal(jr.key(4), (40, 6)), "out": 2 * jr.normal(jr.key(5), (6,))}
    net = Doubled.of(Function(shape, lambda theta, x: (x @ theta["in"]) @ theta["out"]))
    predicted = forecast(decayed(problem), net, test=problem.test)
    assert predicted.details["alpha"] > 1 and predicted.early.kind == "solved" and predicted.late.kind == "measured"
    np.testing.assert_allclose(predicted.details["degree"], 2.0, atol=1e-6)
