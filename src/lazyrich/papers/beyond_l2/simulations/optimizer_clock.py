r"""Sparse recovery with a small $\ell_1$ penalty by four optimizers: the recovery time of each."""

import jax.numpy as jnp
import jax.random as jr

from ....dynamics.optimizers import NAMES, clock, optimizer
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import PROBLEM, begin, counts, make_problem
from ....losses import Squared
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....regularizers import L1

# Adam with the penalty in its gradient moves by its learning rate at any strength: its horizon is so many times 1/rate.
FREE = 120.0


def race(key, problem, *, init_scale, learning_rate, adam_learning_rate, adamw_learning_rate, strength, reach, level, moments):
    """For each optimizer its recovery error, steps and recovery time; and learning rate times curvature of gradient descent."""
    data, truth = problem.train, problem.truth
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength)])

    def recovery_error(model):
        return jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth)

    found = {}
    outcome = jnp.zeros((), int)
    for name in NAMES:
        own = {"adam": adam_learning_rate, "adamw": adamw_learning_rate}.get(name, learning_rate)
        pace = clock(name, own)
        when = counts(FREE / own if pace is None else reach / (pace * strength), moments)
        path = optimizer(name, own, jr.fold_in(key, 2)).run(
            objective,
            begin(key, data.d, init_scale),
            when,
            read={"recovery": recovery_error},
            stop=lambda model: recovery_error(model) < level / 2,
        )
        found[f"{name}_step"], found[f"{name}_recovery"] = when, path.reads["recovery"]
        found[f"{name}_generalization"] = first_crossing(when, -path.reads["recovery"], -level)
        outcome = jnp.maximum(outcome, path.outcome.code)
    return {**found, "edge": learning_rate * jnp.linalg.norm(data.x, 2) ** 2, "outcome": outcome}


LARGER = {
    "d": Param("d", 100, smoke=20, low=4, high=5_000, unit="unknowns", static=True),
    "sparsity": Param("sparsity", 5, smoke=1, low=1, high=500, unit="nonzero entries", static=True),
}
SIMULATION = Simulation(
    race,
    make_problem=make_problem,
    params=[
        Param("strength", (3e-3, 6e-4), (3e-3, 1e-3, 3e-4), smoke=(3e-2, 1e-2), low=1e-7, high=1.0, unit=r"$\ell_1$ penalty"),
        Param("learning_rate", 0.1, low=1e-5, high=1.0, unit="of gradient descent and momentum"),
        Param("adam_learning_rate", 1e-3, smoke=1e-2, low=1e-6, high=0.1, unit="of Adam, penalty in the gradient"),
        Param("adamw_learning_rate", 1e-2, 3e-3, smoke=1e-2, low=1e-6, high=0.1, unit="of Adam, decoupled penalty"),
        Param("reach", 4.0, 6.0, smoke=1.0, low=0.1, high=1e3, unit=r"horizon $\alpha\beta_1t$"),
        Param("level", 0.05, low=1e-4, high=0.9, unit="relative error that counts as recovery"),
        Param("moments", 400, smoke=60, low=12, high=10_000, unit="saved steps", static=True),
        *(LARGER.get(param.name, param) for param in PROBLEM),
        Param("trials", 6, 10, smoke=1, low=1, high=10_000, unit="trials", static=True),
    ],
    returns={
        **{f"{name}_{curve}": "t" for name in NAMES for curve in ("step", "recovery")},
        **{f"{name}_generalization": "" for name in NAMES},
        "edge": "",
        "outcome": "",
    },
)
