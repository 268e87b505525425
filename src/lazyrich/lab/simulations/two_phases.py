"""Any homogeneous model of zero output through kernel regime, transition and rich regime, by the plain flow of its weights."""

from typing import Any

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from jax.flatten_util import ravel_pytree

from ...dynamics import GradientFlow
from ...losses import Exponential
from ...measures import margin_kkt
from ...models import movable, outputs, tangent
from ...models.homogeneity import measured_degrees, rescaled
from ...objective import Objective
from ...problems import Split
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation
from .diagonal_classification import make_separated
from .power_nets import begin

FLOW = GradientFlow(dfx.Tsit5(), rtol=1e-9, atol=1e-10, max_steps=200_000, reduce=None)
STEP = 0.25
r"""The time between readings around the transition, in units of $1/\lambda$."""
# weight_decay * t - log(alpha): deep in the kernel regime, through the transition, and near convergence.
CLOCK = (-2.0, *np.arange(-1.0, 5.0 + STEP / 2, STEP), 9.0)
FACTORS = (0.5, 2.0)


class Posed(eqx.Module):
    """Two classes, and a model of zero output."""

    train: Split
    init: Any


def make_problem(key, n, d, gap, width, rectified) -> Posed:
    """Gaussian points pushed apart, and a symmetrized two-layer net with a quadratic activation."""
    train = make_separated(key, n, d, gap).train
    return Posed(train, begin(jr.fold_in(key, 1), d=d, degree=3, width=width, rectified=rectified))


def hypotheses(problem: Posed) -> dict[str, Any]:
    """What the theorems assume of a model: the smallest and the largest measured degree, and its largest output.

    The output is over the length of the longest gradient. A sample without a gradient has no degree.
    """
    data, init = problem.train, problem.init
    degrees = jnp.stack([measured_degrees(init, data.x, factor) for factor in FACTORS])
    longest = jnp.max(jnp.linalg.norm(tangent.features(init, data.x), axis=-1))
    return {
        "least_degree": jnp.nanmin(degrees),
        "largest_degree": jnp.nanmax(degrees),
        "before": jnp.max(jnp.abs(outputs(init, data.x))) / longest,
    }


def follow(problem: Posed, log_alpha, weight_decay) -> dict[str, Any]:
    r"""The flow of the mean exponential loss with weight decay from $\alpha\bar\theta$, at given $\lambda t - \log\alpha$.

    Margins $y_if_i$, and how near $\theta$ is to a KKT point of minimum norm subject to margins of 1. Of the change
    $h = \theta - \alpha e^{-\lambda t}\bar\theta$: its `length`, and its margins to first order,
    $y_i\langle\nabla f_i(\bar\theta), h\rangle$ (`linear`).
    """
    data, init = problem.train, movable(problem.init)
    clock, begins = jnp.array(CLOCK), _flat(init)
    objective = Objective(data, Exponential(), reduction="mean", penalties=[(L2(), weight_decay)])
    large = rescaled(init, jnp.exp(log_alpha))
    # Until margins have moved by a tenth: a longer first step would overflow the exponential.
    first = 0.1 / jnp.max(jnp.sum(tangent.features(large, data.x) ** 2, axis=-1))
    times = jnp.concatenate([jnp.stack([0.0, first]), (log_alpha + clock) / weight_decay])

    path = FLOW.run(objective, large, times, read={"weights": _flat})
    weights, build = path.reads["weights"][2:], ravel_pytree(eqx.filter(init, eqx.is_inexact_array))[1]
    added = weights - jnp.exp(-clock)[:, None] * begins

    def read(now) -> dict[str, Any]:
        net = eqx.combine(build(now), init)
        kkt = margin_kkt(net, data)
        margins = data.y * outputs(net, data.x)
        return {"margins": margins, "stationarity": kkt.stationarity, "slackness": kkt.slackness}

    return {
        "clock": clock,
        **jax.lax.map(read, weights),
        "length": jnp.linalg.norm(added, axis=1),
        "linear": data.y * jax.vmap(lambda h: tangent.along(init, data.x, h))(added),
        **hypotheses(problem),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


def simulate(key, problem, *, log_alpha, weight_decay):
    """The random two-layer net, through both phases."""
    return follow(problem, log_alpha, weight_decay)


def _flat(net):
    return ravel_pytree(eqx.filter(net, eqx.is_inexact_array))[0]


AXES = (
    Param("log_alpha", (2.5, 3.5), smoke=(2.5, 3.0), low=2.2, high=8.0, unit=r"$\log\alpha$"),
    Param("weight_decay", (1e-4, 1e-8), smoke=(1e-3, 1e-4), low=1e-12, high=1e-2, unit="weight decay"),
)
RETURNS = {
    **dict.fromkeys(("clock", "stationarity", "slackness", "length"), "t"),
    **dict.fromkeys(("margins", "linear"), "t n"),
    **dict.fromkeys(("least_degree", "largest_degree", "before", "outcome", "steps"), ""),
}
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *AXES,
        Param("rectified", (0, 1), smoke=(1,), low=0, high=1, unit="0: quadratic, 1: squared ReLU", static=True),
        Param("width", 12, 64, smoke=6, low=2, high=10_000, unit="hidden units", static=True),
        Param("n", 6, 12, smoke=4, low=2, high=1_000, unit="samples", static=True),
        Param("d", 12, 48, smoke=6, low=2, high=10_000, unit="input dimension", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit=r"class separation, in $\sigma$", static=True),
    ],
    returns=RETURNS,
)


def of_model(init: Any, data: Split) -> Simulation:
    """The same for one model and its data: nothing is random."""
    problem = Posed(data, init)

    def simulate(*, log_alpha, weight_decay):
        return follow(problem, log_alpha, weight_decay)

    return Simulation(simulate, params=AXES, returns=RETURNS, random=False)
