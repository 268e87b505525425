r"""From the end of the kernel regime of classification to $(1 + c)\log\alpha/\lambda$, for a homogeneous net of any degree."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from ....dynamics.both_phases import BothPhasesForm
from ....dynamics.directed import DirectedForm, Turned
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.diagonal_classification import make_separated
from ....lab.simulations.power_nets import begin
from ....measures.kkt import margin_kkt
from ....models import tangent
from ....problems import Split
from .kernel_phase import FLOW


class Posed(eqx.Module):
    """Two classes, and a net of zero output."""

    train: Split
    init: Any


def make_problem(key, n, d, gap, degree, width) -> Posed:
    """Gaussian points pushed apart, and a two-layer net with a power as activation, symmetrized."""
    train = make_separated(key, n, d, gap).train
    return Posed(train, begin(jr.fold_in(key, 1), d=d, degree=degree, width=width))


def reading(data: Split, log_weight_decay):
    r"""What the theorem and its lemmas speak of.

    Margins, $\log\mathcal L$, $\log\|\theta\|$ and $\|\delta\|$; and $\|\nabla\mathcal L_\lambda\|/(\lambda\|\theta\|)$: what is
    missing of $\theta$ as a combination of gradients, with the multipliers of the proof, $\mu_i\propto e^{-q_i}/(n\lambda)$.
    """

    def read(now: Turned) -> dict:
        net, margins = now.at(1.0), data.y * now.outputs(data.x)
        direction = ravel_pytree(eqx.filter(net, eqx.is_inexact_array))[0]
        length = jnp.linalg.norm(direction)
        log_force = (now.init.degree - 2) * now.log_scale - log_weight_decay - jnp.log(data.n)
        pull = tangent.combined(net, data.x, data.y * jnp.exp(log_force - margins))
        return {
            "margins": margins,
            "log_loss": jax.nn.logsumexp(-margins) - jnp.log(data.n),
            "log_norm": now.log_scale + jnp.log(length),
            "moved": jnp.linalg.norm(now.delta),
            "residual": jnp.linalg.norm(pull - direction) / length,
        }

    return read


def simulate(key, problem, *, degree, log_alpha, power, since, lead, until, count):
    r"""The net with $\lambda = \alpha^{-p}$ from `since` to `until` times $\log\alpha/\lambda$, more often early than late.

    The first moment is earlier by `lead` times $\log\log A/(D\lambda)$: the length of the kernel regime.
    `first` is $\|\bar\theta\|$. `stationarity`, `slackness` and `feasibility` are of the last moment, with the best
    multipliers.
    """
    begins = since * log_alpha - lead / degree * jnp.log((2 * (degree - 1) + power) * log_alpha)
    slow = begins + (until * log_alpha - begins) * jnp.linspace(0, 1, count) ** 2
    directed = DirectedForm(
        data=problem.train,
        init=problem.init,
        log_alpha=jnp.asarray(log_alpha, float),
        log_weight_decay=jnp.asarray(-power * log_alpha, float),
    )
    times = jnp.exp(jnp.log(jnp.concatenate([jnp.zeros(1), slow])) + power * log_alpha)
    read = {"all": reading(problem.train, -power * log_alpha)}
    path = FLOW.follow(BothPhasesForm(directed=directed), FLOW.solver, times, read)  # pyright: ignore[reportArgumentType]
    kkt = margin_kkt(path.end.at(1.0), problem.train)
    return {
        "slow": slow,
        **{name: part[1:] for name, part in path.reads["all"].items()},
        "first": jnp.linalg.norm(ravel_pytree(eqx.filter(problem.init, eqx.is_inexact_array))[0]),
        "stationarity": kkt.stationarity,
        "slackness": kkt.slackness,
        "feasibility": kkt.feasibility,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("log_alpha", (6.0, 12.0), (8.0, 16.0, 32.0), smoke=(4.0, 6.0), low=3.0, high=64.0, unit=r"$\log\alpha$"),
        Param("degree", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree $D$", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.5, high=2.0, unit=r"$p$ in $\lambda = \alpha^{-p}$"),
        Param("away", 0.75, low=0.05, high=0.95, unit="$c$"),
        Param("since", 1.0, low=0.05, high=1.95, unit=r"first time over $\log(\alpha)/\lambda$, before the lead"),
        Param("lead", 1.0, low=0.0, high=3.0, unit=r"lead of the first time, over $\log\log A/(D\lambda)$"),
        Param("until", "=1+away", low=0.05, high=1.95, unit=r"last time over $\log(\alpha)/\lambda$"),
        Param("count", 32, smoke=8, low=4, high=1_000, unit="times", static=True),
        Param("width", 8, smoke=3, low=2, high=200, unit="hidden units", static=True),
        Param("n", 4, low=2, high=100, unit="samples", static=True),
        Param("d", 24, smoke=8, low=2, high=1_000, unit="input dimension", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit=r"class separation, in $\sigma$", static=True),
    ],
    returns={
        **dict.fromkeys(("slow", "log_loss", "log_norm", "moved", "residual"), "t"),
        "margins": "t n",
        **dict.fromkeys(("first", "stationarity", "slackness", "feasibility", "outcome", "steps"), ""),
    },
)
