"""Gradient descent."""

from typing import Any, ClassVar

import equinox as eqx

from ..objective import Objective
from .rates import rate_at, require_positive
from .sharpness import edge
from .stepwise import AbstractStepwise, Plan, moved


class GradientDescent(AbstractStepwise):
    r"""$\theta\leftarrow\theta - \text{rate}\cdot\nabla\mathcal L(\theta)$, all penalties included in the gradient.

    A penalty with a kink enters by its subgradient: $\operatorname{sign}$ with $\operatorname{sign} 0 = 0$ for L1, the
    polar factor for Nuclear. The rate is a number or a schedule of the step count. The certificate `edge` is rate times
    sharpness at the end: well below 1 the descent follows its flow, from 2 on it is unstable; read it along the way
    with `edge(objective, rate)`. Source: beyond_l2, section 2.
    """

    rate: Any
    how: ClassVar[str] = "gradient descent"

    def __check_init__(self):
        """The rate is positive."""
        require_positive(self, "rate")

    def plan(self, objective: Objective, start: Any) -> Plan:
        """One gradient a step."""

        def step(count, model, memory):
            return moved(model, eqx.filter_grad(objective)(model), rate_at(self.rate, count)), memory

        def certify(model, memory, count):
            return {"edge": edge(objective, rate_at(self.rate, count))(model)}

        return Plan(step, certify=certify)
