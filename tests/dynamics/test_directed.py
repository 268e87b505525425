"""The flow of a homogeneous model's direction, against the plain flow of its weights and against the exact reduction."""

import diffrax as dfx
import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from lazyrich.dynamics import GradientFlow
from lazyrich.dynamics.directed import DirectedForm, Turned
from lazyrich.losses import Exponential
from lazyrich.models import DiagonalNet, Doubled, PowerNet, outputs
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L2

FLOW = GradientFlow(rtol=1e-9, atol=1e-11)


def split(n: int = 4, d: int = 6) -> Split:
    x = jr.normal(jr.key(0), (n, d))
    return Split(x, jnp.where(jnp.arange(n) % 2 == 0, 1.0, -1.0))


def turned(init, data, *, alpha, weight_decay, times) -> list[Turned]:
    form = DirectedForm(data=data, init=init, log_alpha=jnp.log(alpha), log_weight_decay=jnp.log(weight_decay))
    path = FLOW.follow(form, dfx.Tsit5(), times)
    assert path.outcome.ok
    return [path.at(k) for k in range(len(times))]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["diagonal 2", "diagonal 3", "two-layer"])
def test_weights_are_those_of_the_plain_flow(kind):
    data, alpha, weight_decay = split(), 3.0, 0.05
    if kind == "two-layer":
        init = Doubled.of(PowerNet(jr.normal(jr.key(1), (6, 3)), jr.normal(jr.key(2), (3,)), power=2))
    else:
        init = DiagonalNet.at_scale(1.0, dim=6, depth=int(kind[-1]))
    times = jnp.array([0.0, 0.01, 1.0, 10.0, 30.0])
    flat, build = ravel_pytree(eqx.filter(init, eqx.is_inexact_array))
    objective = Objective(data, Exponential(), reduction="mean", penalties=[(L2(), weight_decay)])
    plain = GradientFlow(reduce=None).run(objective, eqx.combine(build(alpha * flat), init), times)
    for k, now in enumerate(turned(init, data, alpha=alpha, weight_decay=weight_decay, times=times)):
        want = ravel_pytree(eqx.filter(plain.at(k), eqx.is_inexact_array))[0]
        assert np.exp(now.log_scale) * (flat + now.delta) == pytest.approx(np.asarray(want), rel=1e-6, abs=1e-8)
        expected = outputs(plain.at(k), data.x)
        assert np.asarray(now.outputs(data.x)) == pytest.approx(np.asarray(expected), rel=1e-5, abs=1e-6)


def test_outputs_do_not_cancel_at_large_scales():
    data, h = split(), jr.normal(jr.key(3), (12,))
    init = DiagonalNet.at_scale(1.0, dim=6, depth=3)
    expected = Turned(init, h, jnp.asarray(60.0)).outputs(data.x)
    assert np.asarray(expected) == pytest.approx(np.asarray(data.x @ (3 * (h[:6] - h[6:]))), rel=1e-13)


def test_outputs_are_exact_where_the_turn_is_large():
    data, h = split(), 0.3 * jr.normal(jr.key(3), (12,))
    now = Turned(DiagonalNet.at_scale(1.0, dim=6, depth=3), h, jnp.asarray(0.2))
    scaled = DiagonalNet(*(jnp.exp(0.2) * (1 + part) for part in (now.delta[:6], now.delta[6:])), depth=3)
    assert np.asarray(now.outputs(data.x)) == pytest.approx(np.asarray(outputs(scaled, data.x)), rel=1e-12)


def test_an_output_at_the_start_is_told():
    init = DiagonalNet(jnp.ones(6), 0.5 * jnp.ones(6))
    form = DirectedForm(data=split(), init=init, log_alpha=jnp.zeros(()), log_weight_decay=jnp.zeros(()))
    assert form.certificates(jnp.zeros(()), form.state())["output"] > 0.01
