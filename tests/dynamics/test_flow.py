"""Compiled flows are dear: two programs, one plain and one reduced, serve most of these tests."""

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.dynamics import GradientFlow, Outcome
from lazyrich.errors import BadInput
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet, LogDiagonalNet
from lazyrich.objective import Objective
from lazyrich.regularizers import L2

LIMIT = 16_000
SHAPE = np.exp(np.random.default_rng(1).normal(scale=0.2, size=20))


def program(objective, *, reduce):
    flow = GradientFlow(reduce=reduce, rtol=1e-10, atol=1e-12, max_steps=LIMIT)
    read = {"loss": objective.data_loss, "u": lambda net: net.u, "v": lambda net: net.v, "w": lambda net: net.effective()}

    @jax.jit
    def run(init, times, level):
        return flow.run(objective, init, times, read=read, stop=lambda net: objective.data_loss(net) < level)

    return run


@pytest.fixture(scope="module")
def plain(objective):
    run = program(objective, reduce=None)
    return lambda u, v, times, level=-1.0: run(DiagonalNet(jnp.asarray(u), jnp.asarray(v)), times, level)


@pytest.fixture(scope="module")
def reduced(objective):
    run = program(objective, reduce=True)

    def at(log_u, log_v, times, level=-1.0):
        with np.errstate(invalid="ignore"):  # an infinite start is tested too
            middle = (np.asarray(log_u) + log_v) / 2
        with np.errstate(invalid="ignore"):  # starts that are not finite are tried too
            half = (np.asarray(log_u) - log_v) / 2
        return run(LogDiagonalNet(jnp.asarray(middle), jnp.asarray(half)), times, level)

    return at


FORMS = ["plain", "reduced"]


@pytest.fixture
def follow(request):
    """Either program, called with weights."""
    if request.param == "plain":
        return request.getfixturevalue("plain")
    run = request.getfixturevalue("reduced")
    return lambda u, v, *rest: run(np.log(u), np.log(v), *rest)


@pytest.mark.parametrize("follow", FORMS, indirect=True)
def test_it_is_the_flow(follow, numpy_flow, times):
    u, v = 0.5 * SHAPE, 0.5 * SHAPE[::-1]
    path = follow(u, v, times)
    expected = numpy_flow.follow(u, v, np.asarray(times), loss="Logistic", depth=2, weight_decay=0.05)
    # A hundred steps of relative error 1e-10 each.
    np.testing.assert_allclose(path.reads["u"], expected.u, rtol=0, atol=1e-8 * expected.u.max())
    np.testing.assert_allclose(path.reads["v"], expected.v, rtol=0, atol=1e-8 * expected.v.max())
    np.testing.assert_allclose(path.reads["w"], expected.effective, rtol=0, atol=1e-8 * np.abs(expected.effective).max())
    np.testing.assert_array_equal(path.times, times)
    np.testing.assert_allclose(path.end.effective(), path.reads["w"][-1], rtol=0, atol=1e-14)
    assert path.models is None and path.outcome.code == Outcome.END and path.outcome.ok
    np.testing.assert_allclose(path.outcome.reached, times[-1], rtol=1e-12)


@pytest.mark.parametrize("follow", FORMS, indirect=True)
def test_depth_two_conserves_the_product_of_its_halves_but_for_decay(follow, times):
    u, v = 0.5 * SHAPE, 0.5 * SHAPE[::-1]
    path = follow(u, v, times)
    product = path.reads["u"] * path.reads["v"]
    # The reduction has it built in; the plain flow keeps it to its tolerance.
    np.testing.assert_allclose(product, u * v * np.exp(-2 * 0.05 * np.asarray(times))[:, None], rtol=1e-8)


@pytest.mark.parametrize("follow", FORMS, indirect=True)
def test_after_a_stop_readings_repeat_the_last_one(follow, times):
    init = np.full(20, 0.5)
    whole = follow(init, init, times)
    path = follow(init, init, times, float(whole.reads["loss"][1] + whole.reads["loss"][2]) / 2)
    assert path.outcome.code == Outcome.STOPPED and path.outcome.ok
    assert times[1] < path.outcome.reached < times[2]
    for name, values in path.reads.items():
        np.testing.assert_array_equal(values[:2], whole.reads[name][:2])
        np.testing.assert_array_equal(values[2:], np.stack([values[2]] * 2))
    np.testing.assert_allclose(path.reads["w"][-1], path.end.effective(), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(path.times, times)


@pytest.mark.parametrize("follow", FORMS, indirect=True)
def test_a_rule_that_is_met_at_the_start_stops_there(follow, times):
    init = np.full(20, 0.5)
    path = follow(init, init, times, 1.0)
    assert path.outcome.code == Outcome.STOPPED and path.outcome.reached == 0
    np.testing.assert_allclose(path.reads["u"], 0.5, rtol=1e-15)


@pytest.mark.parametrize("follow", FORMS, indirect=True)
def test_running_out_of_steps_is_an_outcome(follow, times):
    init = np.full(20, 0.5)
    path = follow(init, init, 1e6 * times)
    assert path.outcome.code == Outcome.STEP_LIMIT and not path.outcome.ok
    assert path.outcome.steps == LIMIT
    assert 0 < path.outcome.reached < 1e6 * times[-1]
    for values in path.reads.values():
        assert np.isfinite(np.asarray(values[0])).all() and np.isnan(np.asarray(values[-1])).all()
    assert "Raise max_steps" in path.outcome.sentence


@pytest.mark.parametrize("follow", ["plain", "reduced"], indirect=True)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_start_that_is_not_finite_is_an_outcome(follow, times, bad):
    u = np.where(np.arange(20) == 3, bad, 0.5)
    path = follow(u, u, times)
    assert np.isnan(np.asarray(path.reads["loss"])).all()
    assert path.outcome.code == Outcome.NOT_FINITE and not path.outcome.ok


def test_huge_scales_are_ordinary(reduced, data):
    """At alpha = e^100 the flow is first that of the max-l2-margin, then forgets its scale."""

    def run(log_alpha, *shifts):
        nominal = log_alpha / 0.05
        init = np.full(20, log_alpha)
        return reduced(init, init, jnp.array([0.0, *(nominal + shift for shift in shifts)]))

    large, huge = run(20.0, -200.0, 0.0, 100.0), run(100.0, -200.0, 0.0, 100.0)
    for path in (large, huge):
        assert path.outcome.code == Outcome.END
        assert all(np.isfinite(np.asarray(values)).all() for values in (path.reads["w"], path.reads["loss"]))
    # After the kernel phase only the time since log(alpha)/decay matters. The memory of the start fades like
    # e^(-2 * decay * time) times the logarithm of the scale: below 1e-8 at decay * time = 10.
    np.testing.assert_allclose(huge.reads["w"][1:], large.reads["w"][1:], rtol=0, atol=1e-7 * np.abs(large.reads["w"]).max())


@pytest.fixture(scope="module")
def deep(data):
    """Nets of depth 4 from several scales at once, read between the solver's steps."""
    objective = Objective(data, Logistic(), reduction="mean", penalties=[(L2(), 0.1)])
    flow = GradientFlow(rtol=1e-9, atol=1e-12, land=False)

    def run(alpha, times):
        init = DiagonalNet.at_scale(alpha, dim=20, depth=4)
        return flow.run(objective, init, times, read={"w": lambda net: net.effective()})

    return jax.jit(jax.vmap(run, (0, None)))


def deep_plain(numpy_flow, alpha, times):
    init = np.full(20, alpha)
    return numpy_flow.follow(init, init, np.asarray(times), loss="Logistic", depth=4, weight_decay=0.1).effective


@pytest.mark.slow
def test_compiled_and_mapped_over_the_scale(deep, numpy_flow):
    alphas, times = jnp.array([0.2, 0.5, 1.5]), jnp.array([0.0, 0.4, 1.0, 3.0])
    path = deep(alphas, times)
    assert path.outcome.how == "exact reduction of a diagonal net of depth 4 to 5 numbers, by Tsit5"
    assert path.outcome.code.tolist() == [Outcome.END] * 3
    for alpha, found in zip(alphas, path.reads["w"], strict=True):
        expected = deep_plain(numpy_flow, alpha, times)
        # Between steps of size 1e-9^(1/5) the interpolant, of fourth order, is good to 1e-6.
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


@pytest.mark.slow
def test_a_deep_reduction_is_right_or_says_that_it_is_not(deep, numpy_flow):
    alphas, times = jnp.array([0.5, 0.5, 0.5]), jnp.array([0.0, 20.0, 60.0, 80.0])
    path = deep(alphas, times)
    expected = deep_plain(numpy_flow, 0.5, times)[-1]
    error = np.abs(path.reads["w"][0, -1] - expected).max() / np.abs(expected).max()
    assert error < 1e-3 or not path.outcome.ok[0], f"relative error {error:.2g}"


class Neuron(eqx.Module):
    weights: jax.Array

    def __call__(self, x):
        return jnp.tanh(self.weights @ x)


NET = DiagonalNet.at_scale(0.5, dim=20)
SAID = {
    "auto reduces": (GradientFlow(), NET, Logistic(), "exact reduction of a diagonal net of depth 2 to 5 numbers, by Tsit5"),
    "None never does": (GradientFlow(reduce=None), NET, Logistic(), "plain flow of the parameters, by Tsit5"),
    "auto falls back": (GradientFlow(), Neuron(NET.u), Logistic(), "plain flow of the parameters, by Tsit5"),
    "a solver": (GradientFlow(dfx.Bosh3(), reduce=None), NET, Squared(), "plain flow of the parameters, by Bosh3"),
    "stiff": (GradientFlow(reduce=None), NET, Squared(), "plain flow of the parameters, by Kvaerno5"),
}


@pytest.mark.parametrize(("flow", "init", "loss", "how"), SAID.values(), ids=SAID.keys())
def test_the_outcome_says_what_was_done(data, flow, init, loss, how):
    objective = Objective(data, loss, reduction="mean")
    path = eqx.filter_eval_shape(flow.run, objective, init, jnp.array([0.0, 1.0]), read={"loss": objective})
    assert path.outcome.how == how


def test_a_net_in_logarithms_is_read_and_not_trained(objective):
    with pytest.raises(BadInput):
        eqx.filter_eval_shape(
            GradientFlow(reduce=None).run, objective, LogDiagonalNet.at_scale(0.5, dim=20), [0.0, 1.0], read={"loss": objective}
        )


def test_a_coarse_tolerance_is_not_a_loss_of_digits(objective):
    path = GradientFlow(rtol=1e-2, atol=1e-3, reduce=None).run(objective, NET, jnp.array([0.0, 1.0]), read={"loss": objective})
    assert path.outcome.code == Outcome.END
