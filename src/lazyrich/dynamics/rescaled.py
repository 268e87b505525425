"""Gradient descent whose steps grow as the loss falls, with time kept as a logarithm."""

from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp

from ..errors import BadInput
from ..losses import Squared
from ..objective import Objective
from .schedules import rate_at, require_positive
from .stepwise import AbstractStepwise, Plan, moved


class RescaledDescent(AbstractStepwise):
    r"""$\theta\leftarrow\theta - \frac{\eta}{L(\theta)}\nabla L(\theta) = \theta - \eta\nabla\log L(\theta)$.

    Two stages: while $\log L$ exceeds `until`, plain descent on $L$ with the learning rate `first`; below, descent on $\log L$.
    Without `first` all steps are rescaled. The sum of the step sizes of $L$ is the time of the flow that is followed:
    the reading `log_time`, its natural logarithm, is always there ($-\infty$ at step 0) and is an ordinary number at
    $t = 10^{10^4}$. A step that raises the loss shows that the curvature of $\log L$, which grows with the weights, has
    become too large for the learning rate: from then on it is multiplied by `shrink` (1 keeps the published fixed one). The
    certificate `rises` counts such steps, `shrunk` is what the learning rate ended up multiplied by.
    Assumes: no penalties, and a loss that comes near zero without reaching it. Source: lyu2024, appendix B.1.
    """

    learning_rate: Any = 0.01
    first: Any = None
    until: Any = -5.0
    shrink: float = 0.5
    how: ClassVar[str] = "gradient descent with the step over the loss"

    def __check_init__(self):
        """The learning rates are positive, and never grow."""
        require_positive(self, "learning_rate", "first")
        if not 0 < self.shrink <= 1:
            raise BadInput(
                needed="RescaledDescent needs 0 < shrink <= 1",
                given=f"{self.shrink}",
                cure="Leave it out for 0.5, or give 1 for a fixed learning rate.",
            )

    def plan(self, objective: Objective, init: Any) -> Plan:
        """One gradient of the log loss a step: softmax weights over the samples, whatever the size of the loss."""
        if objective.penalties:
            raise BadInput(
                needed="RescaledDescent divides the step by the data loss and takes no penalties",
                given=" and ".join(type(penalty).__name__ for penalty, _ in objective.penalties),
                cure="Leave them out, or use GradientDescent.",
            )
        if isinstance(objective.loss, Squared):
            raise BadInput(
                needed="RescaledDescent needs a loss that never reaches zero",
                given="Squared",
                cure="Use Exponential() or Logistic(), or GradientDescent.",
            )

        def step(count, model, memory):
            log_time, last, rises, scale = memory
            log_loss, slope = eqx.filter_value_and_grad(objective.log_data_loss)(model)
            rose = log_loss > last
            scale = jnp.where(rose, self.shrink * scale, scale)
            learning_rate = scale * jnp.asarray(rate_at(self.learning_rate, count), float)
            log_step = jnp.log(learning_rate) - log_loss
            if self.first is not None:
                plain = jnp.log(scale * rate_at(self.first, count))
                early = log_loss > self.until
                # first * grad L = first * L * grad log L
                learning_rate = jnp.where(early, jnp.exp(plain + log_loss), learning_rate)
                log_step = jnp.where(early, plain, log_step)
            memory = jnp.logaddexp(log_time, log_step), log_loss, rises + rose, scale
            return moved(model, slope, learning_rate), memory

        memory = jnp.asarray(-jnp.inf), jnp.asarray(jnp.inf), jnp.zeros((), int), jnp.ones(())
        return Plan(
            step,
            memory,
            show=lambda memory: {"log_time": memory[0]},
            certify=lambda _, memory, count: {"rises": memory[2], "shrunk": memory[3]},
        )
