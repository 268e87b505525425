"""Any optimizer of optax, on all samples or on a few at a time."""

from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.random as jr

from ..errors import BadInput
from ..objective import Objective
from ..problems.base import require_count
from ..types import Key
from .schedules import rate_at, require_positive
from .slopes import of_samples, penalty_slope, plus, sample_slope
from .stepwise import AbstractStepwise, Plan


class Stochastic(AbstractStepwise):
    r"""$\theta\leftarrow\theta + \text{optimizer}(g)$ with $g$ the slope on `batch` samples, distinct and drawn anew each step.

    Without `batch`, all samples: then `Stochastic(optax.sgd(learning_rate), key)` is gradient descent. The slope of a batch is
    multiplied so that its mean is that of the data loss. Objectives with penalties must say how they act: `coupled=True`
    adds their slope to $g$, so the optimizer rescales it; `coupled=False` subtracts `learning_rate` times their slope at the old
    $\theta$ from the optimizer's step, as AdamW does with weight decay (an optimizer does not tell its learning rate, so it is
    given here again: a number or a schedule). With a coupled penalty Adam makes the late pace nearly independent of the
    strength. For $a/(b+k)$ give `InverseTime(a, b)` to the optimizer. Source: beyond_l2, section 2.
    """

    optimizer: Any
    key: Key
    batch: int | None = eqx.field(static=True, default=None)
    coupled: bool | None = eqx.field(static=True, default=None)
    learning_rate: Any = None
    how: ClassVar[str] = "an optimizer of optax"

    def __check_init__(self):
        """The batch is a count; decoupled penalties have a learning rate."""
        if self.batch is not None:
            require_count("batch", self.batch)
        require_positive(self, "learning_rate")
        if (self.coupled is False) != (self.learning_rate is not None):
            raise BadInput(
                needed="Stochastic takes learning_rate with coupled=False, and only then",
                given=f"coupled={self.coupled}, learning_rate={self.learning_rate}",
                cure="Give the optimizer's learning rate again for decoupled penalties; leave it out otherwise.",
            )

    def plan(self, objective: Objective, init: Any) -> Plan:
        """One step of the optimizer; the draw of a batch depends on the key and the step count alone."""
        n = objective.data.n
        if objective.penalties and self.coupled is None:
            raise BadInput(
                needed="Stochastic must know whether penalties pass through the optimizer",
                given="penalties without `coupled`",
                cure="Say coupled=True, or coupled=False with learning_rate.",
            )
        if self.batch is not None and self.batch > n:
            raise BadInput(
                needed=f"a batch is drawn from the {n} samples without repeats",
                given=f"batch={self.batch}",
                cure="Lower it, or leave it out for all samples.",
            )

        def slope_of(count, model):
            if self.batch is None:
                return eqx.filter_grad(objective if self.coupled else objective.data_loss)(model)
            index = jr.choice(jr.fold_in(self.key, count), n, (self.batch,), replace=False)
            slope = sample_slope(*of_samples(objective, index), model)
            return plus(slope, penalty_slope(objective, model)) if self.coupled else slope

        def step(count, model, memory):
            arrays = eqx.filter(model, eqx.is_inexact_array)
            moves, memory = self.optimizer.update(slope_of(count, model), memory, arrays)
            if self.coupled is False:
                learning_rate, pull = rate_at(self.learning_rate, count), penalty_slope(objective, model)
                moves = jax.tree.map(lambda move, part: move - learning_rate * part, moves, pull)
            return eqx.apply_updates(model, moves), memory

        return Plan(step, self.optimizer.init(eqx.filter(init, eqx.is_inexact_array)))
