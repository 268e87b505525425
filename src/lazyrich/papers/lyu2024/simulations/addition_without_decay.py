r"""A two-layer ReLU net on modular addition without weight decay: steps of $\eta/\mathcal L$, so that $t$ grows like a tower."""

import jax.numpy as jnp

from ....dynamics import RescaledDescent
from ....events import first_above
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.modular_addition import ALL, CURVES, TABLE, begin, make_problem, readings
from ....losses import CrossEntropy
from ....measures import Curve
from ....objective import Objective

# Plain descent ends at this log L, a little below a loss of 1/7 with all data right.
UNTIL = -2.0


def simulate(key, problem, *, modulus, width, alpha, learning_rate, first, steps, points):
    r"""Curves of rescaled descent against $\log_{10}t$, and when they rise: -1 stands for step 0, infinity for never.

    `memorization` is when the training accuracy is 1, `t10` and `t50` when test accuracy is 10% and 50%, all as $\log_{10}t$;
    `loss` is $\log L$, `log_time` $\log_{10}t$.
    """
    init = begin(key, modulus=modulus, width=width, alpha=alpha)
    objective = Objective(problem.train, CrossEntropy(), reduction="mean")
    counts = jnp.concatenate([jnp.zeros(1), jnp.round(jnp.geomspace(points, steps, points - 1))])
    descent = RescaledDescent(learning_rate, first, until=UNTIL, shrink=0.7)
    path = descent.run(objective, init, counts, read=readings(problem) | {"loss": objective.log_data_loss})
    log_time = jnp.maximum(path.reads["log_time"] / jnp.log(10.0), -1.0)
    train, test = (Curve(log_time, path.reads[name], f"{name} accuracy") for name in ("train", "test"))
    memorization = first_above(train, ALL).value
    return {
        **path.reads,
        "log_time": log_time,
        "taken": counts,
        "memorization": memorization,
        "fitted_test": jnp.interp(jnp.minimum(memorization, log_time[-1]), log_time, test.values),
        "t10": first_above(test, 0.1).value,
        "t50": first_above(test, 0.5).value,
        "rises": path.certificates["rises"],
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", 1.0, low=0.1, high=100.0, unit="times He initialization"),
        Param("learning_rate", 1.0, low=1e-4, high=10.0, unit=r"of descent on $\log\mathcal{L}$, at first"),
        Param("first", 3.0, 0.5, smoke=1.0, low=1e-4, high=100.0, unit="learning rate of plain descent"),
        Param("steps", 3_000, 150_000, smoke=400, low=100, high=10_000_000, unit="steps"),
        Param("points", 100, 200, smoke=60, low=20, high=2_000, unit="times on the curve", static=True),
        *TABLE,
    ],
    returns={
        **dict.fromkeys((*CURVES, "loss", "log_time", "taken"), "t"),
        **dict.fromkeys(("memorization", "fitted_test", "t10", "t50", "rises", "outcome"), ""),
    },
)
