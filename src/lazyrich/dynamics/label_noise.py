"""Stochastic gradient descent with fresh noise on the label of each sample."""

from typing import Any, ClassVar

import equinox as eqx
import jax.random as jr

from ..errors import BadInput
from ..losses import Squared
from ..objective import Objective
from ..types import Key
from .schedules import rate_at, require_positive
from .slopes import of_samples, penalty_slope, plus, sample_slope
from .stepwise import AbstractStepwise, Plan, moved


class LabelNoiseSGD(AbstractStepwise):
    r"""$\theta\leftarrow\theta - \eta\nabla(f_\theta(x_i) - y_i + \xi)^2$, $\xi\sim N(0, \text{noise}^2)$.

    One sample $i$ a step, uniform and drawn anew with its noise. This is the step for reduction "mean"; with another one
    the slope of the sample is multiplied so that its mean stays that of the objective. Penalties add their whole slope.
    On the models that fit the data, $\eta^2$ steps is the time of a slow drift to flatter ones.
    Assumes: the squared loss. Source: lyu2024, theorem B.1.
    """

    key: Key
    learning_rate: Any
    noise: Any = 1.0
    how: ClassVar[str] = "label noise descent"

    def __check_init__(self):
        """Learning rate and noise are positive."""
        require_positive(self, "learning_rate", "noise")

    def plan(self, objective: Objective, init: Any) -> Plan:
        """One noisy sample a step; its draw depends on the key and the step count alone."""
        if not isinstance(objective.loss, Squared):
            raise BadInput(
                needed="LabelNoiseSGD adds Gaussian noise to the targets of the squared loss",
                given=type(objective.loss).__name__,
                cure="Use Squared(), or Stochastic(optimizer, key, batch=1) without noise.",
            )

        def step(count, model, memory):
            which, draw = jr.split(jr.fold_in(self.key, count))
            part, scale = of_samples(objective, jr.randint(which, (1,), 0, objective.data.n))
            noisy = part.data.y - self.noise * jr.normal(draw, part.data.y.shape)
            part = eqx.tree_at(lambda whole: whole.data.y, part, noisy)
            slope = plus(sample_slope(part, scale, model), penalty_slope(objective, model))
            return moved(model, slope, rate_at(self.learning_rate, count)), memory

        return Plan(step)
