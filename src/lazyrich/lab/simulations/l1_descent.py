r"""Sparse recovery with a small $\ell_1$ penalty: memorization early, recovery after $\Theta(1/\alpha\beta_1)$ steps."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent, ProjectedSubgradient, ProximalDescent
from ...losses import Squared
from ...models import Linear
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, Split, compressed_sensing
from ...regularizers import L1
from ..params import Param
from ..simulation import Simulation

METHODS = {"subgradient": GradientDescent, "proximal": ProximalDescent, "projected": ProjectedSubgradient}


def make_problem(key, n, d, sparsity, deviation, coherence) -> Problem[Split]:
    """Random measurements of a sparse vector."""
    return compressed_sensing(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, size=deviation, coherence=coherence)


def begin(key, d: int, init_scale) -> Linear:
    r"""Every entry $\sim N(0, \sigma^2/d)$, with $\sigma$ = `init_scale`."""
    return Linear(init_scale * jr.normal(jr.fold_in(key, 1), (d,)) / jnp.sqrt(1.0 * d))


def counts(steps, moments: int):
    """Logarithmically spaced steps from 0: interpolated times have an error of the square of the spacing."""
    return jnp.round(jnp.concatenate([jnp.zeros(1), jnp.geomspace(1.0, steps, moments)]))


def follow(key, problem: Problem[Split], method: str, *, init_scale, learning_rate, strength, steps, moments, until=0.0):
    """The trajectory of one method with errors and norm, and its steps; it stops at a recovery error of `until`."""
    data, truth = problem.train, problem.truth
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength)])

    def recovery_error(model):
        return jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth)

    read = {
        "train": lambda model: jnp.linalg.norm(data.x @ model.w - data.y) / jnp.linalg.norm(data.y),
        "recovery": recovery_error,
        "l1": lambda model: jnp.abs(model.w).sum(),
    }
    when = counts(steps, moments)
    path = METHODS[method](learning_rate).run(
        objective, begin(key, data.d, init_scale), when, read=read, stop=lambda model: recovery_error(model) < until
    )
    return path, when


def compare(key, problem: Problem[Split], *, init_scale, learning_rate, strength, reach, level, moments):
    r"""All three methods until recovery: their curves, and memorization and recovery in time $\alpha\beta_1t$."""
    found = {}
    outcome = jnp.zeros((), int)
    for method in METHODS:
        path, when = follow(
            key,
            problem,
            method,
            init_scale=init_scale,
            learning_rate=learning_rate,
            strength=strength,
            steps=reach / (learning_rate * strength),
            moments=moments,
            until=level / 2,
        )
        slow = learning_rate * strength * when
        found[f"{method}_train"] = path.reads["train"]
        found[f"{method}_recovery"] = path.reads["recovery"]
        found[f"{method}_memorization"] = first_crossing(slow, -path.reads["train"], -level)
        found[f"{method}_generalization"] = first_crossing(slow, -path.reads["recovery"], -level)
        outcome = jnp.maximum(outcome, path.outcome.code)
    return {**found, "slow": slow, "outcome": outcome}


PROBLEM = (
    Param("n", 30, 30, smoke=12, low=2, high=1_000, unit="measurements", static=True),
    Param("d", 60, 100, smoke=20, low=4, high=5_000, unit="unknowns", static=True),
    Param("sparsity", 3, 5, smoke=1, low=1, high=500, unit="nonzero entries", static=True),
    Param("deviation", 1.0, low=1e-6, high=1e6, unit="standard deviation of the nonzero entries", static=True),
    Param("coherence", 0.0, low=0.0, high=1.0, unit="fraction of measurements of a single entry", static=True),
    Param("init_scale", 1e-6, low=0.0, high=100.0, unit="initial norm"),
)
COMPARED = Simulation(
    compare,
    make_problem=make_problem,
    params=[
        Param("learning_rate", (0.1, 0.4), smoke=(0.2, 0.4), low=1e-5, high=1.0, unit="learning rate"),
        Param("strength", (1e-4, 3e-5), (1e-4, 1e-5), smoke=(1e-3, 3e-4), low=1e-8, high=1.0, unit=r"$\ell_1$ penalty"),
        Param("reach", 6.0, 10.0, smoke=3.0, low=0.1, high=1e3, unit=r"horizon $\alpha\beta_1t$"),
        Param("level", 1e-2, smoke=5e-2, low=1e-6, high=0.5, unit="relative error that counts as recovery"),
        Param("moments", 600, smoke=60, low=12, high=10_000, unit="saved steps", static=True),
        *PROBLEM,
    ],
    returns={
        **{f"{method}_{curve}": "t" for method in METHODS for curve in ("train", "recovery")},
        **{f"{method}_{time}": "" for method in METHODS for time in ("memorization", "generalization")},
        "slow": "t",
        "outcome": "",
    },
)
