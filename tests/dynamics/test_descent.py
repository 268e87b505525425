import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.dynamics import GradientDescent, InverseTime, Outcome
from lazyrich.errors import BadInput
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Entries, Split
from lazyrich.regularizers import L1, L2, Nuclear

START = DiagonalNet(jnp.full(20, 0.5), jnp.linspace(0.3, 0.6, 20), 2)


@pytest.fixture(scope="module")
def descend(objective):
    """One compiled program for every rate, every number of steps and every stopping level."""

    @jax.jit
    def run(init, learning_rate, when, level):
        return GradientDescent(learning_rate).run(objective, init, when, stop=lambda net: objective(net) < level)

    return run


def test_steps_are_the_formula(descend, numpy_flow):
    learning_rate = 0.1
    path = descend(START, learning_rate, jnp.array([0, 1, 2]), -1.0)
    u, v = np.asarray(START.u), np.asarray(START.v)
    for count in range(3):
        np.testing.assert_allclose(np.stack([path.at(count).u, path.at(count).v]), [u, v], rtol=1e-13)
        force = numpy_flow.force(u, v, loss="Logistic", depth=2, weight_decay=0.05)
        u, v = u + learning_rate * force[0], v + learning_rate * force[1]
    np.testing.assert_array_equal(path.times, [0.0, 1.0, 2.0])
    np.testing.assert_array_equal(path.end.u, path.at(2).u)
    assert path.outcome.code == Outcome.END and path.outcome.steps == path.outcome.reached == 2


def test_it_approaches_the_flow_linearly_in_its_rate(descend, numpy_flow):
    flow = numpy_flow.follow(np.asarray(START.u), np.asarray(START.v), [0.0, 2.0], loss="Logistic", depth=2, weight_decay=0.05)
    errors = []
    for steps in (400, 800, 1600):
        path = descend(START, 2.0 / steps, jnp.array([0, steps, steps + 1]), -1.0)
        errors.append(np.linalg.norm(np.asarray(path.at(1).u) - flow.u[-1]))
    # The next order adds a share of about rate * curvature, a few percent.
    np.testing.assert_allclose([errors[0] / errors[1], errors[1] / errors[2]], 2.0, rtol=0.1)


def test_a_stopping_rule_is_looked_at_on_recorded_steps(descend, objective):
    when = jnp.array([0, 3, 6, 9, 12])
    whole = descend(START, 0.1, when, -1.0)
    losses = [float(objective(whole.at(index))) for index in range(5)]
    assert losses == sorted(losses, reverse=True)
    path = descend(START, 0.1, when, (losses[1] + losses[2]) / 2)
    assert path.outcome.code == Outcome.STOPPED and path.outcome.ok
    assert path.outcome.steps == path.outcome.reached == 6
    assert [float(objective(path.at(index))) for index in range(5)] == losses[:3] + losses[2:3] * 2
    np.testing.assert_array_equal(path.times, when)
    np.testing.assert_array_equal(path.end.u, whole.at(2).u)


def test_a_rate_that_is_too_large_is_an_outcome(descend):
    path = descend(START, 1e6, jnp.array([0, 20, 40]), -1.0)
    assert path.outcome.code == Outcome.NOT_FINITE and not path.outcome.ok
    assert np.isnan(np.asarray(path.at(-1).u)).any()


def test_named_readings_replace_whole_models(objective):
    path = GradientDescent(0.1).run(objective, START, [0, 2, 5], read={"loss": objective, "w": lambda net: net.effective()})
    assert path.models is None and set(path.reads) == {"loss", "w"}
    assert path.reads["loss"].shape == (3,) and path.reads["w"].shape == (3, 20)
    np.testing.assert_allclose(path.reads["loss"][0], objective(START), rtol=1e-15)
    np.testing.assert_allclose(path.reads["w"][-1], path.end.effective(), rtol=1e-15)
    assert path.outcome.how == "gradient descent"


@pytest.mark.parametrize("learning_rate", [0.0, -0.1, float("nan")])
def test_the_rate_is_positive(learning_rate):
    with pytest.raises(BadInput, match="GradientDescent needs a learning_rate > 0"):
        GradientDescent(learning_rate)


def test_parts_of_a_step_are_refused(objective):
    with pytest.raises(BadInput):
        GradientDescent(0.1).run(objective, START, [0.0, 0.5, 1.0], read={"loss": objective})


CURVATURES = jnp.array([0.1, 0.7, 1.9])
BOWL = Split(jnp.diag(jnp.sqrt(CURVATURES)), jnp.zeros(3))


def test_a_quadratic_contracts_by_one_minus_rate_times_curvature(plain):
    rates, weight_decay, when = jnp.array([0.1, 0.5]), 0.2, jnp.array([0, 1, 10, 100])
    objective = Objective(BOWL, Squared(), reduction="half_sum", penalties=[(L2(), weight_decay)])
    many = jax.vmap(
        lambda learning_rate: GradientDescent(learning_rate).run(objective, plain([1.0, -2.0, 3.0]), when).models.weights
    )(rates)
    shrink = 1 - rates[:, None, None] * (CURVATURES + weight_decay)
    np.testing.assert_allclose(many, shrink ** when[:, None] * jnp.array([1.0, -2.0, 3.0]), rtol=1e-12)


def test_a_schedule_multiplies_its_factors(plain):
    objective = Objective(BOWL, Squared(), reduction="half_sum")
    path = GradientDescent(InverseTime(2.0, 10.0)).run(objective, plain(jnp.ones(3)), [0, 30])
    wanted = np.prod(1 - 2.0 / (10 + np.arange(30))[:, None] * np.asarray(CURVATURES), axis=0)
    np.testing.assert_allclose(path.end.weights, wanted, rtol=1e-13)


def test_l1_has_no_force_at_zero(plain):
    objective = Objective(BOWL, Squared(), reduction="half_sum", penalties=[(L1(), 0.3)])
    path = GradientDescent(0.1).run(objective, plain([0.0, 2.0, -2.0]), [0, 1])
    wanted = np.array([0.0, 2 - 0.1 * (0.7 * 2 + 0.3), -2 + 0.1 * (1.9 * 2 + 0.3)])
    np.testing.assert_allclose(path.end.weights, wanted, rtol=0, atol=1e-15)


def test_the_nuclear_norm_pulls_with_the_polar_factor(plain):
    rng = np.random.default_rng(0)
    matrix, rows, cols = rng.standard_normal((4, 3)), jnp.array([0, 1, 3]), jnp.array([2, 0, 1])
    data = Entries(rows, cols, jnp.array([1.0, -1.0, 2.0]), (4, 3))
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(Nuclear(), 0.2)])
    path = GradientDescent(0.5).run(objective, plain(matrix), [0, 1])
    left, _, right = np.linalg.svd(matrix, full_matrices=False)
    wanted = matrix - 0.5 * 0.2 * left @ right
    wanted[rows, cols] -= 0.5 * (matrix[rows, cols] - np.array([1.0, -1.0, 2.0]))
    np.testing.assert_allclose(path.end.weights, wanted, rtol=0, atol=1e-13)
