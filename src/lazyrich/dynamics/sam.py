"""Sharpness-aware descent on one sample at a time."""

from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import jax.random as jr

from ..objective import Objective
from ..types import Key
from .schedules import rate_at, require_positive
from .slopes import of_samples, penalty_slope, plus, sample_slope
from .stepwise import AbstractStepwise, Plan, moved


class OneSAM(AbstractStepwise):
    r"""$\theta\leftarrow\theta - \eta\nabla L_i\bigl(\theta + \text{radius}\cdot\nabla L_i/\|\nabla L_i\|\bigr)$.

    1-SAM: the slope of a sample is taken a fixed distance uphill on that sample's own loss $L_i$, $i$ uniform and drawn
    anew each step. $L_i$ is scaled so that its mean is the data loss. Where the sample's slope is zero there is no
    uphill and no step. Penalties add their slope at $\theta$ itself. Source: lyu2024, appendix B.2.
    """

    key: Key
    learning_rate: Any
    radius: Any
    how: ClassVar[str] = "sharpness-aware descent on one sample"

    def __check_init__(self):
        """Learning rate and radius are positive."""
        require_positive(self, "learning_rate", "radius")

    def plan(self, objective: Objective, init: Any) -> Plan:
        """Two slopes of one sample a step; its draw depends on the key and the step count alone."""

        def step(count, model, memory):
            index = jr.randint(jr.fold_in(self.key, count), (1,), 0, objective.data.n)
            part, scale = of_samples(objective, index)
            uphill = sample_slope(part, scale, model)
            length = jnp.sqrt(sum((jnp.sum(piece**2) for piece in jax.tree.leaves(uphill)), jnp.zeros(())))
            above = moved(model, uphill, -self.radius / jnp.where(length > 0, length, 1.0))
            slope = plus(sample_slope(part, scale, above), penalty_slope(objective, model))
            return moved(model, slope, rate_at(self.learning_rate, count)), memory

        return Plan(step)
