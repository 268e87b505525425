"""A diagonal net of any depth, from any shape and bias of its initialization, on sparse recovery: which interpolant?"""

from typing import NamedTuple

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.diagonal_regression import interpolate
from ....lab.simulations.diagonal_regression import make_problem as make_plain
from ....models import DiagonalNet, tangent
from ....problems import Problem, Split
from ....types import Array, Float

# Few samples and a moderate condition number: the stiffness ratio of the reduced flow is a few hundred, fine for an explicit
# method. It jitters at some 30 times its tolerance: the residual is followed down to 100 times the tolerance.
# Steps at the edge of stability leave a residual proportional to the tolerance: this one lets the loss fall below RELATIVE_LOSS.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, land=False, max_steps=1_000_000)
RELATIVE_LOSS = 1e-16


class Started(NamedTuple):
    r"""Data, and an initialization up to its scale: $u, v = \alpha w_0 e^{\pm\theta/2}$."""

    recovery: Problem[Split]
    shape: Float[Array, " d"]
    theta: Float[Array, " d"]

    @property
    def train(self) -> Split:
        """The data to fit."""
        return self.recovery.train


def make_problem(key, n, d, sparsity, noise, spread, tilt) -> Started:
    r"""Sparse recovery; $w_0$ log-uniform in [1/spread, spread], $\theta$ uniform in [-tilt, tilt]."""
    recovery = make_plain(key, n=n, d=d, sparsity=sparsity, noise=noise)
    one, two = jr.split(jr.fold_in(key, 1))
    shape = jnp.exp(jnp.log(spread) * jr.uniform(one, (d,), minval=-1, maxval=1))
    return Started(recovery, shape, tilt * jr.uniform(two, (d,), minval=-1, maxval=1))


def simulate(key, problem, *, depth, alpha, until):
    """The gradient flow solution, and how far the tangent kernel moved."""
    side = jnp.exp(problem.theta / 2)
    init = DiagonalNet(alpha * problem.shape * side, alpha * problem.shape / side, depth)
    path = interpolate(problem.recovery, init, until=until, relative_loss=RELATIVE_LOSS, flow=FLOW)
    before, after = (tangent.kernel(net, problem.train.x) for net in (init, path.end))
    return {
        "end": path.reads["effective"][-1],
        "loss": path.reads["loss"][-1],
        "change": jnp.linalg.norm(after - before) / jnp.linalg.norm(before),
        "shape": problem.shape,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SCALES = (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("scale", SCALES[1:], SCALES, smoke=(0.1, 1.0, 10.0), low=1e-12, high=1e4, unit=r"$\alpha^D$"),
        Param("depth", (2,), smoke=(2,), low=2, high=10, unit="layers", static=True),
        Param("alpha", "=scale**(1/depth)", low=1e-6, high=1e3, unit="initial weights over their shape"),
        Param("spread", 1.0, low=1.0, high=100.0, unit="shape from 1/spread to spread"),
        Param("tilt", 0.0, low=0.0, high=20.0, unit=r"largest initial $|\log(u/v)|$"),
        Param("n", 8, 30, smoke=3, low=1, high=2_000, unit="samples", static=True),
        Param("d", 24, 100, smoke=8, low=2, high=20_000, unit="dimension", static=True),
        Param("sparsity", 2, 5, low=1, high=1_000, unit="nonzeros of the ground truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("until", "=1e8*alpha**(2-depth)", low=1e-3, high=1e30, unit="time"),
    ],
    returns={"end": "d", "shape": "d", **dict.fromkeys(("loss", "change", "outcome", "steps"), "")},
)
