"""A factorization under general measurements beside its tangent model: how far both go from their start."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from ...dynamics import GradientFlow
from ...inits import bartlett
from ...losses import HALF_SUM, Squared
from ...models import Sensing, tangent
from ...objective import Objective
from ...problems import Split
from ..params import Param
from ..simulation import Simulation

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-10, land=False)


def pose(key, d, n, condition) -> Split:
    r"""$X_n$ with $\mathcal X\mathcal X^\top$ of spectrum from 1 to `condition` in a random basis, and targets of length one."""
    frames, turns, targets = jr.split(jr.fold_in(key, 0), 3)
    frame = jnp.linalg.qr(jr.normal(frames, (d * d, n)))[0]
    turn = jnp.linalg.qr(jr.normal(turns, (n, n)))[0]
    sizes = jnp.linspace(1.0, jnp.sqrt(condition), n)
    y = jr.normal(targets, (n,))
    return Split(((turn * sizes) @ frame.T).reshape(n, d, d), y / jnp.linalg.norm(y))


def begin(key, *, d: int, width, mu) -> Sensing:
    r"""Factors with $N(0, \alpha^2)$ entries, $\alpha^2k = \mu$, at width $2d$ in law: nearly $\sqrt\mu I$ at huge width."""
    drawn = bartlett(jr.fold_in(key, 1), dim=d, outputs=d, width=width, scale=jnp.sqrt(mu / width))
    return Sensing(u=drawn.u, v=drawn.v)


def tangent_moves(start: Sensing, data: Split, residual, times):
    r"""$\theta_{TK}(t) - \theta(0) = -J^\top K^{-1}(I - e^{-Kt})r(0)$, $K = JJ^\top$, and the residuals $e^{-Kt}r(0)$."""
    jacobian = tangent.features(start, data.x)
    rates, basis = jnp.linalg.eigh(jacobian @ jacobian.T)
    inner = basis.T @ residual
    gone = -jnp.expm1(-rates * times[:, None]) / rates * inner
    return -(gone @ basis.T) @ jacobian, (jnp.exp(-rates * times[:, None]) * inner) @ basis.T


def simulate(key, problem, *, d, width, mu, moments):
    """Distances of the net and of its tangent model from the start and from each other, and the residuals of both."""
    goal = Objective(problem, Squared(), factor=HALF_SUM)
    start = begin(key, d=d, width=width, mu=mu)
    rows = jnp.concatenate([start.u, start.v])
    residual = goal.outputs(start) - problem.y
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(1e-2, 40.0, moments - 1)]) / mu
    read = {"net": lambda net: ravel_pytree(net)[0], "miss": lambda net: jnp.linalg.norm(goal.outputs(net) - problem.y)}
    path = FLOW.run(goal, start, times, read=read)
    moves = path.reads["net"] - ravel_pytree(start)[0]
    linear, left = tangent_moves(start, problem, residual, times)
    flat = problem.x.reshape(problem.n, -1)
    spectrum = jnp.linalg.eigvalsh(flat @ flat.T)
    return {
        "time": times,
        "move": jnp.linalg.norm(moves, axis=1),
        "apart": jnp.linalg.norm(moves - linear, axis=1),
        "miss": path.reads["miss"],
        "tangent_miss": jnp.linalg.norm(left, axis=1),
        "first_order": jnp.sqrt(residual @ jnp.linalg.solve(flat @ flat.T, residual) / (2 * mu)),
        "low": spectrum[0],
        "high": spectrum[-1],
        "gamma": jnp.linalg.norm(rows @ rows.T - mu * jnp.eye(2 * d), 2),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


WIDTH = Param("width", (1e6, 1e14), smoke=(1e6,), low=1, high=1e16, unit="columns of a factor")
CONDITION = Param(
    "condition", (1.0, 3.0), (1.0, 3.0, 10.0), smoke=(1.0,), low=1.0, high=100.0, unit="Lambda over lambda"
)
MU = Param(
    "mu", (60.0, 240.0, 960.0), (60.0, 240.0, 960.0, 3840.0), smoke=(120.0, 480.0), low=1e-8, high=1e6, unit="alpha^2 k"
)
SIZES = (
    Param("d", 4, 10, low=2, high=50, unit="rows and columns", static=True),
    Param("n", 8, 40, low=1, high=1_000, unit="measurements", static=True),
    Param("moments", 40, smoke=40, low=5, high=1_000, unit="times", static=True),
)
RETURNS = {
    **dict.fromkeys(("time", "move", "apart", "miss", "tangent_miss"), "t"),
    **dict.fromkeys(("first_order", "low", "high", "gamma", "outcome", "steps"), ""),
}
SIMULATION = Simulation(simulate, pose=pose, params=[MU, WIDTH, CONDITION, *SIZES], returns=RETURNS)
# The corollary's law: alpha = k^-power, so that alpha^2 k = k^(1 - 2 power).
ALONG_WIDTH = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "width",
            (1e8, 1e10, 1e12),
            (1e8, 1e9, 1e10, 1e11, 1e12),
            smoke=(1e8, 1e10),
            low=100,
            high=1e16,
            unit="columns",
        ),
        Param("power", (0.25, 0.375), smoke=(0.25,), low=0.0, high=2.0, unit="alpha = k^-power"),
        Param("mu", "=width**(1-2*power)", low=1e-8, high=1e12, unit="alpha^2 k"),
        Param("condition", 3.0, smoke=1.0, low=1.0, high=100.0, unit="Lambda over lambda"),
        *SIZES,
    ],
    returns=RETURNS,
)
