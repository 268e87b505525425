"""A diagonal net of any depth, shape and bias of its start on sparse recovery: where does the flow end?"""

from typing import NamedTuple

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...models import DiagonalNet, tangent
from ...problems import Problem, Split
from ...types import Array, Float
from ..params import Param
from ..simulation import Simulation
from .diagonal_regression import interpolate
from .diagonal_regression import pose as plain_pose

# Few samples and inputs of moderate condition: the reduced flow is stiff by a few hundred only, which an explicit method
# bears. It jitters at some 30 times its tolerance: the residual is followed down to a hundred times it.
# Steps at the edge of stability leave a residual in proportion to the tolerance: this one lets the loss fall below MISS.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, land=False, max_steps=1_000_000)
MISS = 1e-16


class Started(NamedTuple):
    r"""Data, and a start up to its scale: the net begins at $u, v = \alpha w_0 e^{\pm\theta/2}$."""

    recovery: Problem
    shape: Float[Array, " d"]
    theta: Float[Array, " d"]

    @property
    def train(self) -> Split:
        """The data to fit."""
        assert isinstance(self.recovery.train, Split)
        return self.recovery.train


def pose(key, n, d, sparsity, noise, spread, tilt) -> Started:
    r"""Sparse recovery; $w_0$ log-uniform in [1/spread, spread], $\theta$ uniform in [-tilt, tilt]."""
    recovery = plain_pose(key, n=n, d=d, sparsity=sparsity, noise=noise)
    one, two = jr.split(jr.fold_in(key, 1))
    shape = jnp.exp(jnp.log(spread) * jr.uniform(one, (d,), minval=-1, maxval=1))
    return Started(recovery, shape, tilt * jr.uniform(two, (d,), minval=-1, maxval=1))


def simulate(key, problem, *, depth, alpha, until):
    """Where the flow ends, and how far the tangent kernel moved on the way."""
    side = jnp.exp(problem.theta / 2)
    start = DiagonalNet(alpha * problem.shape * side, alpha * problem.shape / side, depth)
    path = interpolate(problem.recovery, start, until=until, miss=MISS, flow=FLOW)
    before, after = (tangent.kernel(net, problem.train.x) for net in (start, path.end))
    return {
        "end": path.reads["effective"][-1],
        "loss": path.reads["loss"][-1],
        "change": jnp.linalg.norm(after - before) / jnp.linalg.norm(before),
        "shape": problem.shape,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "scale",
            (1e-3, 1e-2, 0.1, 1.0, 10.0),
            (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0),
            smoke=(0.1, 1.0, 10.0),
            low=1e-12,
            high=1e4,
            unit="alpha^depth: of the halves of the map at the start",
        ),
        Param("depth", (2,), smoke=(2,), low=2, high=10, unit="layers", static=True),
        Param("alpha", "=scale**(1/depth)", low=1e-6, high=1e3, unit="every weight at the start, over its shape"),
        Param("spread", 1.0, low=1.0, high=100.0, unit="shape from 1/spread to spread"),
        Param("tilt", 0.0, low=0.0, high=20.0, unit="log(u/v) at the start, at most"),
        Param("n", 8, 30, smoke=3, low=1, high=2_000, unit="samples", static=True),
        Param("d", 24, 100, smoke=8, low=2, high=20_000, unit="unknowns", static=True),
        Param("sparsity", 2, 5, low=1, high=1_000, unit="entries of the truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("until", "=1e8*alpha**(2-depth)", low=1e-3, high=1e30, unit="time"),
    ],
    returns={"end": "d", "shape": "d", **dict.fromkeys(("loss", "change", "outcome", "steps"), "")},
)
