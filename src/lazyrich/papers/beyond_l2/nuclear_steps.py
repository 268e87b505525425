r"""Descent on the nuclear norm alone: $A\leftarrow A - \alpha\beta_*UV^\top$, seen along the singular vectors of the start."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent
from ...losses import HALF_SUM, Squared
from ...models import Matrix
from ...objective import Objective
from ...problems import Split, orthogonal_matrix
from ...regularizers import Nuclear
from ..params import Param
from ..simulation import Simulation

EDGE = 0.05  # how near to a multiple of the step the others may be


def walk(key, *, rows, cols, steps, whole, rate, strength):
    """Singular values after every step, with signs, over the step; what is not along the first singular vectors; the start."""
    step, rank = rate * strength, min(rows, cols)
    left, _, right = orthogonal_matrix(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank)
    count, part, kind = jr.split(jr.fold_in(key, 1), 3)
    # The first is no multiple: of a matrix of rounding errors alone nobody can tell the rank.
    multiple = (jr.uniform(kind, (rank,)) < whole).at[0].set(False)
    broken = jr.uniform(part, (rank,), minval=EDGE, maxval=1 - EDGE)
    ratio = jr.randint(count, (rank,), 0, steps - 4) + jnp.where(multiple, 0.0, broken)
    nothing = Objective(
        Split(jnp.zeros((1, rows)), jnp.zeros((1, cols))), Squared(), factor=HALF_SUM, penalties=[(Nuclear(), strength)]
    )

    def along(model):
        return jnp.diagonal(left.T @ model.w @ right) / step

    def beside(model):
        return jnp.linalg.norm(model.w / step - (left * along(model)) @ right.T)

    start = Matrix((left * (step * ratio)) @ right.T)
    when = jnp.arange(steps + 1)
    path = GradientDescent(rate).run(nothing, start, when, read={"along": along, "beside": beside})
    return {**path.reads, "ratio": ratio, "multiple": multiple, "outcome": path.outcome.code}


SIMULATION = Simulation(
    walk,
    params=[
        Param("rate", (0.5, 0.05), (1.0, 0.1, 0.01), smoke=(0.5,), low=1e-6, high=100.0, unit="step"),
        Param("strength", (0.1, 2.0), (0.01, 1.0, 3.0), smoke=(0.1,), low=1e-6, high=100.0, unit="of the nuclear norm"),
        Param("whole", (0.0, 0.5), (0.0, 0.3, 0.6), smoke=(0.3,), low=0.0, high=0.9, unit="share of whole multiples"),
        Param("rows", 8, 40, smoke=5, low=2, high=200, unit="rows", static=True),
        Param("cols", 6, 30, smoke=4, low=2, high=200, unit="columns", static=True),
        Param("steps", 40, 300, smoke=12, low=6, high=10_000, unit="updates", static=True),
    ],
    returns={"along": "t k", "beside": "t", "ratio": "k", "multiple": "k", "outcome": ""},
)
