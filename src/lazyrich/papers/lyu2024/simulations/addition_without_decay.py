"""A two-layer ReLU net on modular addition without decay: steps over the loss, so that time grows like a tower."""

import jax.numpy as jnp

from ...dynamics import RescaledDescent
from ...events import first_above
from ...losses import MEAN, CrossEntropy
from ...measures import Curve
from ...objective import Objective
from ..params import Param
from ..simulation import Simulation
from .modular_addition import ALL, CURVES, TABLE, begin, pose, readings

# Plain descent ends where log L is this, a little below a loss of 1/7 with all data right.
UNTIL = -2.0


def simulate(key, problem, *, modulus, width, alpha, rate, first, steps, points):
    r"""Curves of rescaled descent against $\log_{10}t$, and when they rise: -1 stands for step 0, infinity for never.

    `fits` is when the training accuracy is 1, `t10` and `t50` when so much of the test is right, all as $\log_{10}t$;
    `loss` is $\log L$, `log_time` $\log_{10}t$.
    """
    start = begin(key, modulus=modulus, width=width, alpha=alpha)
    goal = Objective(problem.train, CrossEntropy(), factor=MEAN)
    counts = jnp.concatenate([jnp.zeros(1), jnp.round(jnp.geomspace(points, steps, points - 1))])
    descent = RescaledDescent(rate, first, until=UNTIL, shrink=0.7)
    path = descent.run(goal, start, counts, read=readings(problem) | {"loss": goal.log_data_loss})
    log_time = jnp.maximum(path.reads["log_time"] / jnp.log(10.0), -1.0)
    train, test = (Curve(log_time, path.reads[name], f"{name} accuracy") for name in ("train", "test"))
    fits = first_above(train, ALL).value
    return {
        **path.reads,
        "log_time": log_time,
        "taken": counts,
        "fits": fits,
        "fitted_test": jnp.interp(jnp.minimum(fits, log_time[-1]), log_time, test.values),
        "t10": first_above(test, 0.1).value,
        "t50": first_above(test, 0.5).value,
        "rises": path.certificates["rises"],
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("alpha", 1.0, low=0.1, high=100.0, unit="times a He start"),
        Param("rate", 1.0, low=1e-4, high=10.0, unit="of descent on log L, at first"),
        Param("first", 3.0, 0.5, smoke=1.0, low=1e-4, high=100.0, unit="rate of plain descent"),
        Param("steps", 3_000, 150_000, smoke=400, low=100, high=10_000_000, unit="steps"),
        Param("points", 100, 200, smoke=60, low=20, high=2_000, unit="moments on the curve", static=True),
        *TABLE,
    ],
    returns={
        **dict.fromkeys((*CURVES, "loss", "log_time", "taken"), "t"),
        **dict.fromkeys(("fits", "fitted_test", "t10", "t50", "rises", "outcome"), ""),
    },
)
