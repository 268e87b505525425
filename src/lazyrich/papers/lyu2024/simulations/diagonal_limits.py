r"""A diagonal net at a multiple of $\log\alpha/\lambda$ with $\lambda = \alpha^{-p}$: what theory says of large scales."""

import diffrax as dfx
import jax.numpy as jnp

from ...dynamics import GradientFlow
from ...losses import Exponential
from ...measures.kkt import decay_residual
from ..params import Param
from ..simulation import Simulation
from .diagonal_classification import advance, begin, pose_apart

# The outputs relax at the rate 2 log(1/decay) decay, so an explicit method needs of the order of log(alpha)^2 steps:
# up to log(alpha) = 128 that is cheaper than the linear algebra of an implicit one. There the KKT residual is good to 1e-4.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-8, max_steps=1_000_000)


def simulate(key, problem, *, d, depth, log_alpha, power, share):
    r"""The linear map, its margins and the KKT residual at `share` times $\log\alpha/\lambda$."""
    decay = jnp.exp(-power * log_alpha)
    times = jnp.array([0.0, 1.0]) * share * log_alpha / decay
    start = begin(d, alpha=jnp.exp(log_alpha), convention="per_coordinate", depth=depth)
    path = advance(problem, start, times, decay=decay, loss=Exponential(), read=None, flow=FLOW)
    effective = path.end.effective()
    return {
        "effective": effective,
        "margins": problem.train.y * (problem.train.x @ effective),
        "residual": decay_residual(path.end, problem.train, log_decay=-power * log_alpha),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose_apart,
    params=[
        Param(
            "log_alpha",
            (20.0, 40.0),
            (16.0, 32.0, 64.0),
            smoke=(4.0, 8.0),
            low=4.0,
            high=128.0,
            unit="log of every weight at the start",
        ),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree", static=True),
        Param("power", (1.0, 2.0), (0.5, 1.0, 2.0), smoke=(1.0,), low=0.25, high=3.0, unit="decay = alpha^-power"),
        Param("away", (0.3, 0.6), smoke=(0.5,), low=0.05, high=0.95, unit="c: from log(alpha)/decay, as a share of it"),
        Param("share", "=1-away", low=0.05, high=1.95, unit="time, over log(alpha)/decay"),
        Param("n", 6, low=2, high=100, unit="samples", static=True),
        Param("d", 24, low=5, high=1_000, unit="unknowns", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit="between the classes, in deviations", static=True),
    ],
    returns={"effective": "d", "margins": "n", **dict.fromkeys(("residual", "outcome", "steps"), "")},
)
