"""The drift to flatter interpolants, against the slow manifold of a decay and against the curvature itself."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

import lazyrich as lz
from lazyrich.dynamics import GradientFlow
from lazyrich.dynamics.limits import SlowManifold
from lazyrich.dynamics.limits.flattening import Flattening

N, D, ALPHA = 4, 9, 0.7
FLOW = GradientFlow(rtol=1e-9, atol=1e-11)


def drifted(data, w, times):
    form = Flattening(data=data, w=w, log_kappa=jnp.full(data.d, 2 * jnp.log(ALPHA)))
    return FLOW.follow(form, dfx.Tsit5(), times, read={"w": lambda net: net.effective(), "u": lambda net: net.u})


def settled(data):
    objective = lz.Objective(data, lz.losses.Squared(), reduction="mean", penalties=[(lz.regularizers.L2(), 1.0)])
    init = lz.models.DiagonalNet.at_scale(ALPHA, dim=data.d)
    return (objective, init, SlowManifold().run(objective, init, jnp.array([0.0, 1e-9]), read={"w": lambda net: net.effective()}))


def data_of(x, key):
    return lz.Split(x, x[:, 0] - 0.5 * x[:, 1] + 0.1 * jr.normal(key, (x.shape[0],)))


def test_inputs_of_one_size_decay_alike():
    """Where every input has the mean square 1 the drift is that of a decay, at eight times the pace."""
    data = data_of(jr.rademacher(jr.key(3), (N, D)).astype(float), jr.key(4))
    objective, init, first = settled(data)
    times = jnp.array([0.0, 0.05, 0.2, 0.5])
    decayed = SlowManifold().run(objective, init, 8 * times, read={"w": lambda net: net.effective()})
    np.testing.assert_allclose(drifted(data, first.reads["w"][0], times).reads["w"], decayed.reads["w"], atol=1e-6)


def test_it_falls_along_the_curvature():
    """The parameters move by minus half the gradient of the trace of the Hessian, less its part across the interpolants."""
    data = data_of(jr.normal(jr.key(1), (N, D)), jr.key(2))
    objective = lz.Objective(data, lz.losses.Squared(), reduction="mean")
    w = settled(data)[2].reads["w"][0]
    step = 1e-5
    path = drifted(data, w, jnp.array([0.0, step, 2 * step]))
    root = jnp.hypot(w, 2 * ALPHA**2)
    u, v = jnp.sqrt((root + w) / 2), jnp.sqrt((root - w) / 2)

    def loss(theta):
        return objective(lz.models.DiagonalNet(theta[:D], theta[D:]))

    theta = jnp.concatenate([u, v])
    pull = -0.5 * jax.grad(lambda t: jnp.trace(jax.hessian(loss)(t)))(theta)
    rows = jnp.concatenate([2 * data.x * u, -2 * data.x * v], axis=1)
    along = pull - rows.T @ jnp.linalg.solve(rows @ rows.T, rows @ pull)
    moved = (path.reads["u"][2] - path.reads["u"][0]) / (2 * step)
    np.testing.assert_allclose(moved, along[:D], atol=1e-3 * float(jnp.max(jnp.abs(along))))


def test_outputs_are_held():
    data = data_of(jr.normal(jr.key(1), (N, D)), jr.key(2))
    path = drifted(data, settled(data)[2].reads["w"][0], jnp.array([0.0, 0.5]))
    assert float(path.certificates["violation"]) < 1e-8 and bool(path.outcome.ok)
    assert float(path.certificates["amplification"]) == pytest.approx(1.0)
