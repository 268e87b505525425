import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import GradientDescent, LabelNoiseSGD, Outcome, ProjectedSubgradient, ProximalDescent, RescaledDescent
from lazyrich.errors import BadInput
from lazyrich.losses import Exponential, Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L1

ONE = Objective(Split(jnp.ones((1, 1)), jnp.zeros(1)), Squared(), reduction="half_sum")


def test_the_first_number_that_is_not_finite_is_named(plain):
    # Each step multiplies by 1 - rate: 1e10 leaves double precision at step 31, 1e20 at step 16.
    @jax.jit
    @jax.vmap
    def run(learning_rate):
        return GradientDescent(learning_rate).run(ONE, plain([1.0]), jnp.array([0, 10, 30, 40, 90]))

    path = run(jnp.array([1e10, 1e20, 0.5]))
    np.testing.assert_array_equal(path.outcome.code, [Outcome.NOT_FINITE, Outcome.NOT_FINITE, Outcome.END])
    np.testing.assert_array_equal(path.outcome.reached, [31, 16, 90])
    np.testing.assert_array_equal(path.outcome.steps, [31, 16, 90])
    finite = np.isfinite(path.models.weights[..., 0])
    np.testing.assert_array_equal(finite, [[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 1, 1]])
    assert np.isnan(path.models.weights[0, -1, 0])
    np.testing.assert_allclose(path.models.weights[1, :2, 0], [1.0, 1e200], rtol=1e-12)
    alone = GradientDescent(1e10).run(ONE, plain([1.0]), [0, 50], read={"w": lambda net: net.weights})
    assert "(at 31, 31 steps, gradient descent)" in alone.outcome.sentence
    np.testing.assert_array_equal(np.isnan(alone.reads["w"][:, 0]), [False, True])


def test_readings_of_a_broken_run_are_nan_even_where_they_could_be_taken(plain):
    path = GradientDescent(1e10).run(ONE, plain([1.0]), [0, 20, 40], read={"one": lambda net: 1.0})
    np.testing.assert_array_equal(path.reads["one"], [1.0, 1.0, np.nan])


def test_a_stopping_rule_that_a_broken_run_would_meet_is_not_met(plain):
    path = GradientDescent(1e10).run(ONE, plain([1.0]), [0, 40, 50], stop=lambda net: ~(net.weights[0] < 2))
    assert path.outcome.code == Outcome.NOT_FINITE and path.outcome.reached == 31


def test_ten_million_steps_hold_no_trajectory(plain):
    def run(init):
        return GradientDescent(0.1).run(ONE, plain(init), jnp.array([0, 5_000_000, 10_000_000]))

    usage = jax.jit(run).lower(jnp.ones(1)).compile().memory_analysis()
    assert usage.temp_size_in_bytes < 10_000


def test_what_lies_between_two_moments_does_not_depend_on_them(plain):
    objective = Objective(Split(jnp.eye(3), jnp.arange(3.0)), Squared(), reduction="half_sum")
    for dynamics in (GradientDescent(0.1), LabelNoiseSGD(jr.key(3), 0.01, 1.0)):
        few, many = (dynamics.run(objective, plain(jnp.ones(3)), when) for when in ([0, 7], [0, 1, 2, 5, 7]))
        np.testing.assert_array_equal(few.end.weights, many.end.weights)


def test_its_own_readings_keep_their_names():
    objective = Objective(Split(jnp.ones((1, 1)), jnp.ones(1)), Exponential(), reduction="half_sum")
    with pytest.raises(BadInput, match="RescaledDescent reads log_time by itself"):
        RescaledDescent().run(objective, DiagonalNet.at_scale(1.0, dim=1), [0, 1], read={"log_time": objective})


@pytest.mark.parametrize(
    "dynamics", [GradientDescent(0.05), ProximalDescent(0.05), ProjectedSubgradient(0.05)], ids=lambda it: type(it).__name__
)
def test_data_and_strengths_are_batch_axes(dynamics, plain):
    def run(x, strength):
        objective = Objective(Split(x, jnp.ones(2)), Squared(), reduction="half_sum", penalties=[(L1(), strength)])
        return dynamics.run(objective, plain([1.0, -2.0, 0.5]), jnp.array([0, 20])).end.weights

    x, strengths = jr.normal(jr.key(0), (2, 2, 3)), jnp.array([0.1, 0.3])
    many = jax.jit(jax.vmap(run))(x, strengths)
    for index in range(2):
        np.testing.assert_allclose(many[index], jax.jit(run)(x[index], strengths[index]), rtol=0, atol=1e-12)
