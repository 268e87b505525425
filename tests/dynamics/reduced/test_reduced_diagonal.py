"""The reduction is exact: its field and the plain flow, each followed by scipy, lead through the same weights."""

from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from lazyrich.dynamics import GradientFlow
from lazyrich.dynamics.reduced import reduced_form
from lazyrich.dynamics.reduced.diagonal import DiagonalForm
from lazyrich.errors import BadInput
from lazyrich.losses import ALL, AbstractLoss, Logistic
from lazyrich.models import DiagonalNet, LogDiagonalNet
from lazyrich.objective import Objective
from lazyrich.regularizers import L1, L2

EACH = [loss for loss in ALL if not loss.classes_only]
LOSSES = [loss.__name__ for loss in EACH]
TIMES = np.array([0.0, 0.1, 0.5, 2.0, 6.0])


class AnyLoss(AbstractLoss):
    """One of the losses, by number: one compiled program serves them all."""

    which: jax.Array
    signs_only: ClassVar[bool] = True
    classes_only: ClassVar[bool] = False

    def _of(self, method: str, *arguments):
        return jax.lax.switch(self.which, [getattr(loss(), method) for loss in EACH], *arguments)

    def value(self, f, y):
        return self._of("value", f, y)

    def log_value(self, f, y):
        return self._of("log_value", f, y)

    def scaled_slope(self, f, y, log_scale):
        return self._of("scaled_slope", f, y, jnp.asarray(log_scale))


@jax.jit
def field(form, clock, state):
    return form.field(clock, state, None)


@jax.jit
def weights(form, clocks, states):
    def look(clock, state):
        net = form.model(clock, state)
        return net.u, net.v, net.effective()

    return jax.vmap(look)(clocks, states)


def follow(form: DiagonalForm, times: np.ndarray):
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
    assert found.success
    return weights(form, jnp.asarray(clocks), jnp.asarray(found.y.T))


def starts(rng) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    shape = 0.5 * np.exp(0.2 * rng.standard_normal(20))
    return {
        "all equal": (np.full(20, 0.5), np.full(20, 0.5)),
        "a shape": (shape, shape),
        "u other than v": (shape, shape[::-1].copy()),
    }


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize(
    ("init", "weight_decay"), [("all equal", 0.05), ("u other than v", 0.05), ("a shape", 0.0)], ids=lambda value: str(value)
)
def test_it_is_the_plain_flow(data, numpy_flow, loss, depth, init, weight_decay):
    u, v = starts(np.random.default_rng(7))[init]
    objective = Objective(data, AnyLoss(jnp.asarray(LOSSES.index(loss))), reduction="mean", penalties=[(L2(), weight_decay)])
    *found, effective = follow(DiagonalForm.of(objective, DiagonalNet(jnp.asarray(u), jnp.asarray(v), depth)), TIMES)
    expected = numpy_flow.follow(u, v, TIMES, loss=loss, depth=depth, weight_decay=weight_decay)
    # Both to 1e-11 a step; some hundred steps, and at depth 3 and 4 the cancellation in 1 - p, cost two or three digits.
    np.testing.assert_allclose(found, np.stack([expected.u, expected.v]), rtol=0, atol=1e-8 * np.abs(expected.u).max())
    np.testing.assert_allclose(effective, expected.effective, rtol=0, atol=1e-8 * np.abs(expected.effective).max())


@given(log_time=st.floats(-50, 20), log_alpha=st.floats(-100, 100))
@pytest.mark.parametrize("depth", [2, 3])
def test_its_clock_is_undone_by_its_time(objective, depth, log_time, log_alpha):
    form = DiagonalForm.of(objective, LogDiagonalNet(jnp.full(20, log_alpha), jnp.zeros(20), depth))
    time = np.exp(log_time)
    # A clock of up to 500, kept to a relative rounding, is exponentiated.
    np.testing.assert_allclose(form.time(form.clock(jnp.asarray(time))), time, rtol=1e-12)
    assert form.clock(jnp.asarray(0.0)) == form.time(jnp.asarray(0.0)) == 0


def test_it_starts_where_the_net_starts(objective):
    rng = np.random.default_rng(3)
    u, v = 0.1 + rng.random((2, 20))
    for depth in (2, 3):
        form = DiagonalForm.of(objective, DiagonalNet(jnp.asarray(u), jnp.asarray(v), depth))
        assert form.state().shape == (5,) and not form.state().any()
        net = form.model(jnp.asarray(0.0), form.state())
        np.testing.assert_allclose(np.stack([net.u, net.v]), [u, v], rtol=1e-14)
        assert form.how == f"exact reduction of a diagonal net of depth {depth} to 5 numbers"


def test_both_nets_reduce_to_the_same_form(objective):
    plain = DiagonalForm.of(objective, DiagonalNet.at_scale(0.3, dim=20, depth=3))
    logs = DiagonalForm.of(objective, LogDiagonalNet.at_scale(0.3, dim=20, depth=3))
    assert eqx.tree_equal(plain, logs)


class Other(eqx.Module):
    weights: jax.Array

    def __call__(self, x):
        return jnp.tanh(self.weights @ x)


NET = DiagonalNet.at_scale(0.5, dim=20)
FAILING = {
    "model": (Other(jnp.ones(20)), [(L2(), 0.1)], "the model is Other, not a DiagonalNet"),
    "depth": (DiagonalNet.at_scale(0.5, dim=20, depth=1), [], "the depth is 1, not at least 2"),
    "penalty": (NET, [(L2(), 0.1), (L1(), 0.1)], "a penalty is not L2"),
    "sign": (DiagonalNet(NET.u, NET.v.at[3].set(-0.5)), [], "the initialization has weights that are not positive"),
    "zero": (DiagonalNet(NET.u.at[3].set(0.0), NET.v), [], "the initialization has weights that are not positive"),
}


@pytest.mark.parametrize(("init", "penalties", "why"), FAILING.values(), ids=FAILING.keys())
def test_what_has_no_reduction_is_refused_by_the_hypothesis_that_fails(data, init, penalties, why):
    objective = Objective(data, Logistic(), reduction="mean", penalties=penalties)
    found = reduced_form(objective, init)
    assert isinstance(found, str) and found.split("; ")[0] == f"DiagonalForm: {why}"
    with pytest.raises(BadInput, match=r"GradientFlow\(reduce=True\) needs a flow with an exact reduction") as error:
        GradientFlow(reduce=True).run(objective, init, [0.0, 1.0])
    assert why in error.value.given and 'reduce="auto"' in error.value.cure


def test_squared_loss_at_a_large_scale_in_closed_form(data):
    # At a = 1000 the tangent kernel 8 a^2 X X^T stands still up to a share of (w / a^2)^2 = 1e-12, and without decay
    # the flow of the mean squared loss is linear: f = (1 - e^(-K t)) y with K = 16 a^2 X X^T / n.
    alpha, x, y = 1000.0, np.asarray(data.x), np.asarray(data.y)
    objective = Objective(data, AnyLoss(jnp.asarray(LOSSES.index("Squared"))), reduction="mean", penalties=[(L2(), 0.0)])
    rates, modes = np.linalg.eigh(16 * alpha**2 * x @ x.T / y.size)
    times = np.array([0.0, 0.2, 1.0, 3.0, 10.0]) / rates.max()
    *_, effective = follow(DiagonalForm.of(objective, DiagonalNet.at_scale(alpha, dim=20)), times)
    expected = [x.T @ np.linalg.solve(x @ x.T, modes @ (-np.expm1(-rates * time) * (modes.T @ y))) for time in times]
    # Followed to 1e-11 a step.
    np.testing.assert_allclose(effective, expected, rtol=0, atol=1e-9)
