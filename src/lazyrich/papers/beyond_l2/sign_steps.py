r"""Descent on the l1 norm alone: $b\leftarrow b - \alpha\operatorname{sign}b$, in numbers that binary arithmetic holds."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent
from ...losses import HALF_SUM, Squared
from ...models import Linear
from ...objective import Objective
from ...problems import Split
from ...regularizers import L1
from ..params import Param
from ..simulation import Simulation

FINE = 2**20  # parts of a step that starts fall on


def walk(key, *, d, steps, whole, log_step):
    """All entries after every step, from starts of which a share are whole multiples of the step."""
    step = 2.0**log_step
    count, part, side, kind = jr.split(key, 4)
    multiple = jr.uniform(kind, (d,)) < whole
    broken = jr.randint(part, (d,), 1, FINE) / FINE
    ratio = jr.randint(count, (d,), 0, steps - 4) + jnp.where(multiple, 0.0, broken)
    start = Linear(step * ratio * jr.rademacher(side, (d,)))
    nothing = Objective(Split(jnp.zeros((1, d)), jnp.zeros(1)), Squared(), factor=HALF_SUM, penalties=[(L1(), 1.0)])
    when = jnp.arange(steps + 1)
    path = GradientDescent(step).run(nothing, start, when, read={"w": lambda model: model.w})
    return {"w": path.reads["w"], "ratio": ratio, "multiple": multiple, "outcome": path.outcome.code}


SIMULATION = Simulation(
    walk,
    params=[
        Param("d", 200, 2_000, smoke=20, low=1, high=100_000, unit="entries", static=True),
        Param("steps", 60, 500, smoke=12, low=6, high=100_000, unit="updates", static=True),
        Param("whole", (0.0, 0.3, 1.0), smoke=(0.3,), low=0.0, high=1.0, unit="share of whole multiples of the step"),
        Param("log_step", (-7, 3), (-7, 0, 3), smoke=(-7,), low=-20, high=20, unit="binary logarithm of the step"),
    ],
    returns={"w": "t d", "ratio": "d", "multiple": "d", "outcome": ""},
)
