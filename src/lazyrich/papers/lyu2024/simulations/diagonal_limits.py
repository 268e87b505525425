r"""A diagonal net with $\lambda = \alpha^{-p}$ at a multiple of $\log\alpha/\lambda$, and around it, at large scales."""

import diffrax as dfx
import jax.numpy as jnp

from ....dynamics import GradientFlow
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.diagonal_classification import advance, begin, make_separated
from ....losses import Exponential
from ....measures.kkt import decay_residual

# The outputs relax at the rate 2 log(1/weight_decay) weight_decay, so an explicit method needs of the order of log(alpha)^2
# steps: up to log(alpha) = 128 that is cheaper than the linear algebra of an implicit one, with a KKT residual good to 1e-4.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-8, max_steps=1_000_000)


def simulate(key, problem, *, d, depth, log_alpha, power, relative_time):
    r"""The linear map, its margins and the KKT residual at `relative_time` times $\log\alpha/\lambda$."""
    weight_decay = jnp.exp(-power * log_alpha)
    times = jnp.array([0.0, 1.0]) * relative_time * log_alpha / weight_decay
    init = begin(d, alpha=jnp.exp(log_alpha), convention="per_coordinate", depth=depth)
    path = advance(problem, init, times, weight_decay=weight_decay, loss=Exponential(), read=None, flow=FLOW)
    effective = path.end.effective()
    return {
        "effective": effective,
        "margins": problem.train.y * (problem.train.x @ effective),
        "residual": decay_residual(path.end, problem.train, log_weight_decay=-power * log_alpha),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


def simulate_around(key, problem, *, d, log_alpha, power, before, after, moments):
    r"""The linear map of a two-layer diagonal net along the flow around $\log\alpha/\lambda$."""
    weight_decay = jnp.exp(-power * log_alpha)
    clock = jnp.linspace(before, after, moments)
    times = jnp.concatenate([jnp.zeros(1), (log_alpha + clock) / weight_decay])
    init = begin(d, alpha=jnp.exp(log_alpha), convention="per_coordinate")
    read = {"effective": lambda net: net.effective()}
    path = advance(problem, init, times, weight_decay=weight_decay, loss=Exponential(), read=read, flow=FLOW)
    return {
        "clock": clock,
        "effective": path.reads["effective"][1:],
        "margins": problem.train.y * (path.reads["effective"][1:] @ problem.train.x.T),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SEPARATED = (
    Param("n", 6, low=2, high=100, unit="samples", static=True),
    Param("d", 24, low=5, high=1_000, unit="dimensions", static=True),
    Param("gap", 2.0, low=0.0, high=100.0, unit=r"class separation, in $\sigma$", static=True),
)
SIMULATION = Simulation(
    simulate,
    make_problem=make_separated,
    params=[
        Param("log_alpha", (20.0, 40.0), (16.0, 32.0, 64.0), smoke=(4.0, 8.0), low=4.0, high=128.0, unit=r"$\log\alpha$"),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree $D$", static=True),
        Param("power", (1.0, 2.0), (0.5, 1.0, 2.0), smoke=(1.0,), low=0.25, high=3.0, unit=r"$p$ in $\lambda = \alpha^{-p}$"),
        Param("away", (0.3, 0.6), smoke=(0.5,), low=0.05, high=0.95, unit="$c$"),
        Param("relative_time", "=1-away", low=0.05, high=1.95, unit=r"time over $\log(\alpha)/\lambda$"),
        *SEPARATED,
    ],
    returns={"effective": "d", "margins": "n", **dict.fromkeys(("residual", "outcome", "steps"), "")},
)
AROUND = Simulation(
    simulate_around,
    make_problem=make_separated,
    params=[
        Param("log_alpha", (32.0, 64.0), (32.0, 64.0, 128.0), smoke=(6.0, 8.0), low=5.0, high=128.0, unit=r"$\log\alpha$"),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.25, high=3.0, unit=r"$p$ in $\lambda = \alpha^{-p}$"),
        Param("before", -4.5, smoke=-3.0, low=-5.0, high=0.0, unit=r"first $\lambda t - \log\alpha$"),
        Param("after", 5.0, low=1.0, high=20.0, unit=r"last $\lambda t - \log\alpha$"),
        Param("moments", 96, smoke=20, low=10, high=2_000, unit="times on the curve", static=True),
        *SEPARATED,
    ],
    returns={"clock": "t", "effective": "t d", "margins": "t n", "outcome": "", "steps": ""},
)
