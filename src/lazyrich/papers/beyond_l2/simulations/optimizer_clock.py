r"""Sparse recovery with a small l1 penalty by four optimizers: how many steps each takes until the truth is found."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics.optimizers import NAMES, clock, optimizer
from ...losses import HALF_SUM, Squared
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, Split
from ...regularizers import L1
from ..params import Param
from ..simulation import Simulation
from .l1_descent import PROBLEM, begin, counts, pose

# Adam with the penalty in its slope moves by its rate whatever the strength: so many of one over the rate.
FREE = 120.0


def race(key, problem: Problem, *, start, rate, adam_rate, adamw_rate, strength, reach, level, moments):
    """For each optimizer the error of recovery, its steps, and when it is at the level; and rate x curvature of plain descent."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength)])

    def missed(model):
        return jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth)

    found = {}
    outcome = jnp.zeros((), int)
    for name in NAMES:
        own = {"adam": adam_rate, "adamw": adamw_rate}.get(name, rate)
        pace = clock(name, own)
        when = counts(FREE / own if pace is None else reach / (pace * strength), moments)
        path = optimizer(name, own, jr.fold_in(key, 2)).run(
            goal,
            begin(key, data.d, start),
            when,
            read={"recovery": missed},
            stop=lambda model: missed(model) < level / 2,
        )
        found[f"{name}_step"], found[f"{name}_recovery"] = when, path.reads["recovery"]
        found[f"{name}_finds"] = first_crossing(when, -path.reads["recovery"], -level)
        outcome = jnp.maximum(outcome, path.outcome.code)
    return {**found, "edge": rate * jnp.linalg.norm(data.x, 2) ** 2, "outcome": outcome}


LARGER = {
    "d": Param("d", 100, smoke=20, low=4, high=5_000, unit="unknowns", static=True),
    "sparsity": Param("sparsity", 5, smoke=1, low=1, high=500, unit="entries of the truth", static=True),
}
SIMULATION = Simulation(
    race,
    pose=pose,
    params=[
        Param(
            "strength",
            (3e-3, 6e-4),
            (3e-3, 1e-3, 3e-4),
            smoke=(3e-2, 1e-2),
            low=1e-7,
            high=1.0,
            unit="of the l1 penalty",
        ),
        Param("rate", 0.1, low=1e-5, high=1.0, unit="step of plain descent and of momentum"),
        Param("adam_rate", 1e-3, smoke=1e-2, low=1e-6, high=0.1, unit="step of Adam with the penalty in its slope"),
        Param("adamw_rate", 1e-2, 3e-3, smoke=1e-2, low=1e-6, high=0.1, unit="step of Adam with the penalty apart"),
        Param("reach", 4.0, 6.0, smoke=1.0, low=0.1, high=1e3, unit="slow time"),
        Param("level", 0.05, low=1e-4, high=0.9, unit="relative error that counts as found"),
        Param("moments", 400, smoke=60, low=12, high=10_000, unit="readings", static=True),
        *(LARGER.get(param.name, param) for param in PROBLEM),
        Param("trials", 6, 10, smoke=1, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={
        **{f"{name}_{curve}": "t" for name in NAMES for curve in ("step", "recovery")},
        **{f"{name}_finds": "" for name in NAMES},
        "edge": "",
        "outcome": "",
    },
)
