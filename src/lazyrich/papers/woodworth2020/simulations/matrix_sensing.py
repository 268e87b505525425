"""A factorization under general measurements and its tangent model: how far both move from their initialization."""

from dataclasses import replace

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from ....dynamics import GradientFlow
from ....inits import bartlett
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....models import Sensing, tangent
from ....objective import Objective
from ....problems import Split

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-10, land=False)


def make_problem(key, d, n, condition) -> Split:
    r"""$X_n$ with $\mathcal X\mathcal X^\top$ of spectrum from 1 to `condition` in a random basis, and targets of length one."""
    frames, turns, targets = jr.split(jr.fold_in(key, 0), 3)
    frame = jnp.linalg.qr(jr.normal(frames, (d * d, n)))[0]
    turn = jnp.linalg.qr(jr.normal(turns, (n, n)))[0]
    sizes = jnp.linspace(1.0, jnp.sqrt(condition), n)
    y = jr.normal(targets, (n,))
    return Split(((turn * sizes) @ frame.T).reshape(n, d, d), y / jnp.linalg.norm(y))


def init_factors(key, *, d: int, width, mu) -> Sensing:
    r"""Factors with $N(0, \alpha^2)$ entries, $\alpha^2k = \mu$, at width $2d$ in law: nearly $\sqrt\mu I$ at huge width."""
    drawn = bartlett(jr.fold_in(key, 1), dim=d, outputs=d, width=width, scale=jnp.sqrt(mu / width))
    return Sensing(u=drawn.u, v=drawn.v)


def tangent_moves(init: Sensing, data: Split, residual, times):
    r"""$\theta_{TK}(t) - \theta(0) = -J^\top K^{-1}(I - e^{-Kt})r(0)$, $K = JJ^\top$, and the residuals $e^{-Kt}r(0)$."""
    jacobian = tangent.features(init, data.x)
    rates, basis = jnp.linalg.eigh(jacobian @ jacobian.T)
    inner = basis.T @ residual
    gone = -jnp.expm1(-rates * times[:, None]) / rates * inner
    return -(gone @ basis.T) @ jacobian, (jnp.exp(-rates * times[:, None]) * inner) @ basis.T


def simulate(key, problem, *, d, width, mu, moments):
    """Distances of the net and of its tangent model to the initialization and to each other, and the residuals of both."""
    objective = Objective(problem, Squared(), reduction="half_sum")
    init = init_factors(key, d=d, width=width, mu=mu)
    rows = jnp.concatenate([init.u, init.v])
    residual = objective.outputs(init) - problem.y
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(1e-2, 40.0, moments - 1)]) / mu
    read = {"net": lambda net: ravel_pytree(net)[0], "residual": lambda net: jnp.linalg.norm(objective.outputs(net) - problem.y)}
    path = FLOW.run(objective, init, times, read=read)
    moves = path.reads["net"] - ravel_pytree(init)[0]
    linear, left = tangent_moves(init, problem, residual, times)
    flat = problem.x.reshape(problem.n, -1)
    spectrum = jnp.linalg.eigvalsh(flat @ flat.T)
    return {
        "time": times,
        "move": jnp.linalg.norm(moves, axis=1),
        "apart": jnp.linalg.norm(moves - linear, axis=1),
        "residual": path.reads["residual"],
        "tangent_residual": jnp.linalg.norm(left, axis=1),
        "first_order": jnp.sqrt(residual @ jnp.linalg.solve(flat @ flat.T, residual) / (2 * mu)),
        "low": spectrum[0],
        "high": spectrum[-1],
        "gamma": jnp.linalg.norm(rows @ rows.T - mu * jnp.eye(2 * d), 2),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIZES = (
    Param("d", 4, 10, low=2, high=50, unit="rows and columns", static=True),
    Param("n", 8, 40, low=1, high=1_000, unit="measurements", static=True),
    Param("moments", 40, smoke=40, low=5, high=1_000, unit="recorded times", static=True),
)
SCALES = (60.0, 240.0, 960.0), (60.0, 240.0, 960.0, 3840.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("mu", *SCALES, smoke=(120.0, 480.0), low=1e-8, high=1e6, unit=r"$\alpha^2 k$"),
        Param("width", (1e6, 1e14), smoke=(1e6,), low=1, high=1e16, unit="columns of a factor"),
        Param("condition", (1.0, 3.0), (1.0, 3.0, 10.0), smoke=(1.0,), low=1.0, high=100.0, unit=r"$\Lambda/\lambda$"),
        *SIZES,
    ],
    returns={
        **dict.fromkeys(("time", "move", "apart", "residual", "tangent_residual"), "t"),
        **dict.fromkeys(("first_order", "low", "high", "gamma", "outcome", "steps"), ""),
    },
)
# The corollary's law: alpha = k^-power, so that alpha^2 k = k^(1 - 2 power).
WIDTHS = (1e8, 1e10, 1e12), (1e8, 1e9, 1e10, 1e11, 1e12)
ALONG_WIDTH = replace(
    SIMULATION,
    params=[
        Param("width", *WIDTHS, smoke=(1e8, 1e10), low=100, high=1e16, unit="columns"),
        Param("power", (0.25, 0.375), smoke=(0.25,), low=0.0, high=2.0, unit=r"$p$ of $\alpha = k^{-p}$"),
        Param("mu", "=width**(1-2*power)", low=1e-8, high=1e12, unit=r"$\alpha^2 k$"),
        Param("condition", 3.0, smoke=1.0, low=1.0, high=100.0, unit=r"$\Lambda/\lambda$"),
        *SIZES,
    ],
)
