r"""A linear net with decay from a large start: it fits at once, and what no input sees is gone at $\log(\alpha)/\lambda$."""

import math

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...events import first_below
from ...inits import gaussian
from ...losses import HALF_SUM, Squared
from ...measures import Curve
from ...models import LinearNet
from ...objective import Objective
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation
from .linear_net_flow import pose

# Stiff: the fit is faster than the decay by the square of the start over the decay.
FLOW = GradientFlow(solver=dfx.Kvaerno5(), rtol=1e-7, atol=1e-9, land=False)
# How many of the times come before a hundredth of the horizon, evenly in the logarithm.
EARLY = 60
# The share of the least-norm map to which the unseen part must fall; that of the first error for a fit.
SHARE, FIT = 0.1, 0.01


def simulate(key, problem, *, d, outputs, width, alpha, decay, after, moments):
    r"""Errors seen and unseen along the flow, from normal weights of deviation $\alpha h^{-1/2}$.

    `gone` is when the part of the map that no input sees has fallen to a tenth of the least-norm map, `fits` when the training
    error has fallen to a hundredth of the first; `drift` is how far the imbalance is from $e^{-2\lambda t}$ times the first.
    """
    blank = LinearNet.at_zero(dim=d, outputs=outputs, width=width)
    start = gaussian(jr.fold_in(key, 1), blank, scale=alpha * width**-0.5)
    goal = Objective(problem.data, Squared(), factor=HALF_SUM, penalties=[(L2(), decay)])
    until = (jnp.log(alpha) + after) / decay
    early = jnp.geomspace(1e-3 / alpha**2, until / 100, EARLY)
    times = jnp.concatenate([jnp.zeros(1), early, jnp.linspace(until / 100, until, moments - EARLY)[1:]])
    frame = problem.frame
    least = frame.T @ (problem.target / problem.scale[:, None])
    size = jnp.linalg.norm(least)

    def seen(net):
        return jnp.linalg.norm(frame @ (net.effective() - least)) / size

    def unseen(net):
        return jnp.linalg.norm(net.u @ net.v.T - frame.T @ (frame @ net.u @ net.v.T)) / size

    def error(net):
        return jnp.linalg.norm(problem.data.x @ net.effective() - problem.data.y)

    read = {"seen": seen, "unseen": unseen, "error": error}
    path = FLOW.run(goal, start, times, read=read)
    # In logarithms the fall is nearly straight between moments.
    fall = Curve(times, jnp.log(path.reads["unseen"]), "unseen part of the map")
    fit = Curve(times, jnp.log(path.reads["error"] / path.reads["error"][0]), "training error")
    return {
        "time": times,
        **path.reads,
        "distance": jnp.hypot(path.reads["seen"], path.reads["unseen"]),
        "gone": first_below(fall, math.log(SHARE)).value,
        "fits": first_below(fit, math.log(FIT)).value,
        "drift": path.certificates["imbalance_drift"],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "alpha",
            (8.0, 16.0, 32.0, 64.0),
            (8.0, 16.0, 32.0, 64.0, 128.0),
            smoke=(8.0, 16.0),
            low=1.0,
            high=1e6,
            unit="weights of deviation alpha/sqrt(h)",
        ),
        Param("decay", (1e-3, 1e-2), (1e-4, 1e-3, 1e-2), smoke=(1e-2,), low=1e-6, high=0.1, unit="strength of L2"),
        Param("n", 3, 6, smoke=2, low=1, high=100, unit="samples", static=True),
        Param("d", 8, 20, smoke=4, low=2, high=500, unit="inputs", static=True),
        Param("outputs", 2, smoke=1, low=1, high=20, static=True),
        Param("tilt", 1.0, low=0.0, high=2.0, unit="power of the inputs' singular values"),
        Param("noise", 0.1, low=0.0, high=10.0, unit="deviation of the answers"),
        Param("width", 20, 100, smoke=10, low=1, high=10_000, unit="hidden units", static=True),
        Param("after", 5.0, low=0.5, high=20.0, unit="1/decay from log(alpha)/decay"),
        Param("moments", 200, 400, smoke=100, low=80, high=5_000, unit="times", static=True),
    ],
    returns={
        **dict.fromkeys(("time", "seen", "unseen", "error", "distance"), "t"),
        **dict.fromkeys(("gone", "fits", "drift", "outcome", "steps"), ""),
    },
)
