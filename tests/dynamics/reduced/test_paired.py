"""The flow of u * v and of its wide kin is that of a symmetric net: the plain flow, followed by scipy, agrees."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lazyrich.dynamics import GradientFlow, Outcome
from lazyrich.dynamics.reduced import reduced_form
from lazyrich.dynamics.reduced.paired import PairedForm
from lazyrich.inits import gaussian
from lazyrich.losses import Exponential, Logistic, Squared
from lazyrich.models import Linear, ProductNet, WideParallel
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L2

TIMES = np.array([0.0, 0.1, 0.5, 2.0, 6.0])
RNG = np.random.default_rng(3)
U, V = 0.6 * RNG.standard_normal((2, 20))
WIDE = 0.3 * RNG.standard_normal((2, 20, 7))
STARTS = {
    "any signs": ProductNet(jnp.asarray(U), jnp.asarray(V)),
    "output zero": ProductNet.at_scale(0.7, dim=20),
    "equal factors": ProductNet(jnp.asarray(U), jnp.asarray(U)),
    "equal sizes": ProductNet(jnp.asarray(U), jnp.asarray(U * np.sign(V))),
    "dead coordinates": ProductNet(jnp.asarray(U).at[:3].set(0.0), jnp.asarray(V).at[:3].set(0.0)),
    "width 7": WideParallel(*jnp.asarray(WIDE)),
    "width 1": WideParallel(jnp.asarray(U)[:, None], jnp.asarray(V)[:, None]),
}


def plain(objective: Objective, init, times=TIMES):
    """The gradient flow of the factors themselves, to a relative 1e-12 a step."""
    shape = np.shape(init.u)
    slope = jax.jit(jax.grad(lambda theta: objective(type(init)(*theta.reshape(2, *shape)))))
    begin = np.concatenate([np.ravel(init.u), np.ravel(init.v)])
    found = solve_ivp(
        lambda _, theta: -np.asarray(slope(theta)), (0, times[-1]), begin, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-14
    )
    assert found.success
    return found.y.T.reshape(len(times), 2, *shape)


@jax.jit
def field(form, clock, state):
    return form.field(clock, state, None)


@jax.jit
def factors(form, clocks, states):
    nets = jax.vmap(form.model)(clocks, states)
    return nets.u, nets.v, jax.vmap(lambda net: net.effective())(nets)


def reduced(objective: Objective, init, times=TIMES):
    """The factors and their map from the reduced flow, followed by the same solver."""
    form = PairedForm.of(objective, init)
    clocks = np.asarray(form.clock(jnp.asarray(times)))
    found = solve_ivp(
        lambda clock, state: np.asarray(field(form, clock, state)),
        (0, clocks[-1]),
        np.asarray(form.state()),
        method="DOP853",
        t_eval=clocks,
        rtol=1e-11,
        atol=1e-13,
    )
    assert found.success and form.amplification(jnp.asarray(clocks[-1]), jnp.asarray(found.y[:, -1])) == 1
    return factors(form, jnp.asarray(clocks), jnp.asarray(found.y.T))


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize(("loss", "weight_decay"), [(Logistic(), 0.05), (Squared(), 0.0)], ids=["logistic, decay", "squared"])
def test_it_is_the_plain_flow(data, name, loss, weight_decay):
    objective = Objective(data, loss, reduction="mean", penalties=[(L2(), weight_decay)])
    u, v, effective = reduced(objective, STARTS[name])
    expected = plain(objective, STARTS[name])
    # Both to 1e-11 a step or better, some hundred steps.
    assert np.abs(np.stack([u, v], axis=1) - expected).max() <= 1e-8 * np.abs(expected).max()
    weights = (expected[:, 0] * expected[:, 1]).reshape(TIMES.size, 20, -1).sum(axis=-1)
    assert np.abs(effective - weights).max() <= 1e-8 * np.abs(weights).max()
    if not weight_decay:
        kept = np.asarray(u**2 - v**2).reshape(TIMES.size, 20, -1).sum(axis=-1)
        assert np.abs(kept - kept[0]).max() <= 1e-13 * np.abs(u).max() ** 2 * 7


def test_any_loss(data):
    objective = Objective(data, Exponential(), reduction="sum", penalties=[(L2(), 0.02), (L2(), 0.01)])
    times = np.array([0.0, 0.05, 0.3])
    found = np.stack(reduced(objective, STARTS["any signs"], times)[:2], axis=1)
    expected = plain(objective, STARTS["any signs"], times)
    assert np.abs(found - expected).max() <= 1e-8 * np.abs(expected).max()


@pytest.mark.slow
def test_users_meet_it_by_default(data):
    objective = Objective(data, Logistic(), reduction="mean", penalties=[(L2(), 0.05)])
    path = GradientFlow().run(objective, STARTS["any signs"], TIMES)
    assert path.outcome.ok and "exact reduction of a ProductNet to 5 numbers" in path.outcome.how
    expected = plain(objective, STARTS["any signs"])
    assert np.abs(np.stack([path.models.u, path.models.v], axis=1) - expected).max() <= 1e-8 * np.abs(expected).max()


def test_the_width_costs_nothing(data):
    objective = Objective(data, Squared(), reduction="sum")
    form = PairedForm.of(objective, gaussian(jr.key(0), WideParallel.at_zero(dim=20, width=1000), scale=0.01))
    assert form.state().shape == (5,) and form.how == "exact reduction of a WideParallel to 5 numbers"


def test_the_end_is_the_least_shifted_entropy():
    # c q(beta / c) - theta beta is least on X beta = y where asinh(beta / 2c) - theta lies in the row space.
    rng = np.random.default_rng(1)
    x = rng.standard_normal((3, 8)) / np.sqrt(8)
    objective = Objective(Split(jnp.asarray(x), jnp.asarray(rng.standard_normal(3))), Squared(), reduction="sum")
    init = gaussian(jr.key(4), WideParallel.at_zero(dim=8, width=5), scale=0.3)
    end = reduced(objective, init, np.array([0.0, 100.0]))[2][-1]
    halves = init.symmetric()
    c, theta = np.asarray(halves.u * halves.v), np.log(halves.u / halves.v)
    price = np.arcsinh(end / (2 * c)) - theta
    np.testing.assert_allclose(x.T @ np.linalg.lstsq(x.T, price, rcond=None)[0], price, atol=1e-8)
    np.testing.assert_allclose(x @ end, objective.data.y, atol=1e-8)


@pytest.mark.slow
def test_a_zero_half_that_would_show_is_an_outcome():
    # u = v >= 0 cannot fit a negative answer: the exponent falls without end, by 4 a unit of time.
    objective = Objective(Split(jnp.ones((1, 1)), -jnp.ones(1)), Squared(), reduction="sum")
    init = ProductNet(jnp.ones(1), jnp.ones(1))
    path = GradientFlow(reduce=True).run(objective, init, [0.0, 10.0, 1000.0])
    assert path.outcome.code == Outcome.LOST
    np.testing.assert_allclose(path.at(1).u, path.at(1).v, rtol=1e-6)


@pytest.mark.parametrize(
    ("init", "why"),
    [
        (Linear(jnp.ones(20)), "the model is Linear, not a ProductNet or WideParallel"),
        (ProductNet(jnp.zeros(20), jnp.zeros(20)), "the initialization is zero, and stays there"),
    ],
)
def test_what_it_does_not_reduce(objective, init, why):
    found = reduced_form(objective, init)
    assert isinstance(found, str) and f"PairedForm: {why}" in found
