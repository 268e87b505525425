r"""A homogeneous net and a diagonal net at $(1 - c)\log\alpha/\lambda$, on the exponential loss with weight decay."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr

from ....lab import Param, Simulation
from ....lab.simulations.diagonal_classification import LIMITS, advance, make_problem, make_separated
from ....lab.simulations.diagonal_classification import begin as begin_diagonal
from ....lab.simulations.power_nets import begin
from ....losses import Exponential
from ....models import outputs
from ....problems import Split
from ....types import Array, Float
from .kernel_phase import follow

# The constants c of the times (1 - c) log(alpha)/weight_decay at which a run is evaluated.
AWAY = (0.7, 0.5, 0.3)


class Posed(eqx.Module):
    """Two classes, fresh inputs, a net of zero output, and another one that is not trained."""

    train: Split
    fresh: Float[Array, "m d"]
    init: Any
    other: Any


def make_nets(key, n, d, gap, degree, width, rectified, fresh) -> Posed:
    """Gaussian points pushed apart, and two-layer nets with Gaussian weights, symmetrized."""
    train = make_separated(key, n, d, gap).train
    init, other = (begin(part, d=d, degree=degree, width=width, rectified=rectified) for part in jr.split(jr.fold_in(key, 1)))
    return Posed(train, jr.normal(jr.fold_in(key, 3), (fresh, d)), init, other)


def simulate(key, problem, *, log_alpha, power):
    r"""Outputs on fresh inputs at $(1 - c)\log\alpha/\lambda$ for a few $c$, with $\lambda = \alpha^{-p}$."""
    slow = jnp.concatenate([jnp.zeros(1), (1 - jnp.array(AWAY)) * log_alpha])
    read = {"predicted": lambda now: now.outputs(problem.fresh)}
    path = follow(problem.init, problem.train, log_alpha=log_alpha, log_weight_decay=-power * log_alpha, slow=slow, read=read)
    seen = jnp.concatenate([problem.train.x, problem.fresh])
    return {
        "away": jnp.array(AWAY),
        "outputs": path.reads["predicted"][1:],
        "before": jnp.max(jnp.abs(outputs(problem.init, seen))),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_nets,
    params=[
        Param("log_alpha", (16.0, 32.0), (8.0, 16.0, 32.0), smoke=(6.0, 8.0), low=5.0, high=64.0, unit=r"$\log\alpha$"),
        Param("degree", (2, 3), (2, 3, 4), smoke=(3,), low=2, high=5, unit="degree $D$", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.5, high=2.0, unit=r"$p$ in $\lambda = \alpha^{-p}$"),
        Param("width", 4, 8, low=2, high=200, unit="hidden units", static=True),
        Param("rectified", 0, low=0, high=1, unit="1: powers of ReLU, not smooth", static=True),
        Param("n", 6, low=2, high=100, unit="samples", static=True),
        # For d much larger than n all samples have multipliers of one size, and the next order of the angle is small.
        Param("d", 48, smoke=8, low=2, high=1_000, unit="input dimension", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit=r"class separation, in $\sigma$", static=True),
        Param("fresh", 40, 200, smoke=10, low=2, high=10_000, unit="fresh inputs", static=True),
    ],
    returns={"away": "t", "outputs": "t d", **dict.fromkeys(("before", "outcome", "steps"), "")},
)


def simulate_diagonal(key, problem, *, d, depth, log_alpha, power, early):
    r"""The linear map at $(1 - c)\log\alpha/\lambda$ with $\lambda = \alpha^{-p}$, from every weight at $\alpha$."""
    weight_decay = jnp.exp(-power * log_alpha)
    times = jnp.array([0.0, 1.0]) * (1 - early) * log_alpha / weight_decay
    init = begin_diagonal(d, alpha=jnp.exp(log_alpha), convention="per_coordinate", depth=depth)
    read = {"effective": lambda net: net.effective()}
    path = advance(problem, init, times, weight_decay=weight_decay, loss=Exponential(), read=read, flow=LIMITS)
    return {"effective": path.reads["effective"][-1], "outcome": path.outcome.code, "steps": path.outcome.steps}


SCALES = (8.0, 16.0, 32.0, 64.0, 128.0)
DIAGONAL = Simulation(
    simulate_diagonal,
    make_problem=make_problem,
    params=[
        Param("log_alpha", (16.0, 64.0), SCALES, smoke=(16.0,), low=4.0, high=128.0, unit=r"$\log\alpha$"),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree $D$", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.25, high=3.0, unit=r"$p$ in $\lambda = \alpha^{-p}$"),
        Param("early", (0.3, 0.6), (0.3, 0.5, 0.7), smoke=(0.5,), low=0.1, high=0.9, unit="$c$"),
        Param("n", 6, low=2, high=100, unit="samples", static=True),
        Param("d", 24, low=5, high=1_000, unit="dimensions", static=True),
        Param("sparsity", 3, low=1, high=9, unit="relevant inputs, odd", static=True),
    ],
    returns={"effective": "d", "outcome": "", "steps": ""},
)
