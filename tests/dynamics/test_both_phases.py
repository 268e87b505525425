"""The flow through both phases, against the plain flow of the weights, long after decay alone would have left nothing."""

import diffrax as dfx
import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from lazyrich.dynamics import GradientFlow
from lazyrich.dynamics.both_phases import BothPhasesForm
from lazyrich.dynamics.directed import DirectedForm
from lazyrich.losses import Exponential
from lazyrich.models import DiagonalNet, Doubled, PowerNet, outputs
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L2

FLOW = GradientFlow(rtol=1e-9, atol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["diagonal", "two-layer"])
def test_weights_are_those_of_the_plain_flow(kind):
    data = Split(jr.normal(jr.key(0), (4, 6)), jnp.array([1.0, -1.0, 1.0, -1.0]))
    alpha, weight_decay = 3.0, 0.05
    if kind == "two-layer":
        init = Doubled.of(PowerNet(jr.normal(jr.key(1), (6, 3)), jr.normal(jr.key(2), (3,)), power=2))
    else:
        init = DiagonalNet.at_scale(1.0, dim=6, depth=3)
    times = jnp.array([0.0, 0.01, 10.0, 30.0, 100.0, 200.0])
    flat, build = ravel_pytree(eqx.filter(init, eqx.is_inexact_array))
    objective = Objective(data, Exponential(), reduction="mean", penalties=[(L2(), weight_decay)])
    plain = GradientFlow(reduce=None).run(objective, eqx.combine(build(alpha * flat), init), times)
    directed = DirectedForm(data=data, init=init, log_alpha=jnp.log(alpha), log_weight_decay=jnp.log(weight_decay))
    path = FLOW.follow(BothPhasesForm(directed=directed), dfx.Tsit5(), times)
    assert path.outcome.ok
    for k in range(len(times)):
        now, want = path.at(k), ravel_pytree(eqx.filter(plain.at(k), eqx.is_inexact_array))[0]
        # The weights of the plain flow are good to 1e-8.
        assert np.exp(now.log_scale) * (flat + now.delta) == pytest.approx(np.asarray(want), rel=1e-6, abs=1e-7)
        expected = outputs(plain.at(k), data.x)
        assert np.asarray(now.outputs(data.x)) == pytest.approx(np.asarray(expected), rel=1e-5, abs=1e-6)


def test_a_state_stands_for_the_parameters_once_the_start_has_faded():
    init = DiagonalNet.at_scale(1.0, dim=6, depth=3)
    data = Split(jr.normal(jr.key(0), (4, 6)), jnp.array([1.0, -1.0, 1.0, -1.0]))
    directed = DirectedForm(data=data, init=init, log_alpha=jnp.asarray(20.0), log_weight_decay=jnp.zeros(()))
    form = BothPhasesForm(directed=directed)
    state = jr.normal(jr.key(4), (12,))
    late, early = (form.model(form.clock(jnp.asarray(t)), state) for t in (60.0, 0.0))
    assert np.asarray(np.exp(late.log_scale) * (1 + late.delta)) == pytest.approx(np.asarray(state), abs=1e-12)
    assert np.asarray(early.h) == pytest.approx(np.asarray(state), rel=1e-12)
