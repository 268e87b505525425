"""Gradient descent."""

from typing import Any, ClassVar

import equinox as eqx

from ..objective import Objective
from .schedules import rate_at, require_positive
from .sharpness import edge
from .stepwise import AbstractStepwise, Plan, moved


class GradientDescent(AbstractStepwise):
    r"""$\theta\leftarrow\theta - \eta\nabla\mathcal L(\theta)$, all penalties included in the gradient.

    A penalty with a kink enters by its subgradient: $\operatorname{sign}$ with $\operatorname{sign} 0 = 0$ for L1, the
    polar factor for Nuclear. The learning rate is a number or a schedule of the step count. The certificate `edge` is
    $\eta$ times the sharpness at the end: well below 1 the descent follows its flow, from 2 on it is unstable; read it
    along the way with `edge(objective, learning_rate)`. Source: beyond_l2, section 2.
    """

    learning_rate: Any
    how: ClassVar[str] = "gradient descent"

    def __check_init__(self):
        """The learning rate is positive."""
        require_positive(self, "learning_rate")

    def plan(self, objective: Objective, init: Any) -> Plan:
        """One gradient a step."""

        def step(count, model, memory):
            return moved(model, eqx.filter_grad(objective)(model), rate_at(self.learning_rate, count)), memory

        def certify(model, memory, count):
            return {"edge": edge(objective, rate_at(self.learning_rate, count))(model)}

        return Plan(step, certify=certify)
