"""Proximal gradient descent."""

from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..models import parameters
from ..objective import Objective
from ..regularizers import L2
from .schedules import rate_at, require_positive
from .stepwise import AbstractStepwise, Plan, moved


class ProximalDescent(AbstractStepwise):
    r"""$\theta\leftarrow\operatorname{prox}_{\eta R}\bigl(\theta - \eta\nabla L(\theta)\bigr)$.

    $L$ is the data loss and $R$ all penalties. With L1 this is ISTA, with Nuclear singular value thresholding: parameters
    and singular values become zero exactly. For $R = sP + \frac\lambda2\|\cdot\|^2$ the map is exact too:
    $\operatorname{prox}_{\eta R}(z) = \operatorname{prox}_{\eta' sP}(z/(1+\eta\lambda))$ with $\eta' = \eta/(1+\eta\lambda)$.
    Assumes: any number of L2 and at most one other penalty. The learning rate is a number or a schedule of the step count.
    Source: beyond_l2, theorem C.15.
    """

    learning_rate: Any
    how: ClassVar[str] = "proximal gradient descent"

    def __check_init__(self):
        """The learning rate is positive."""
        require_positive(self, "learning_rate")

    def plan(self, objective: Objective, init: Any) -> Plan:
        """A gradient step on the data loss, then the proximal map of the penalties."""
        weight_decay = sum((strength for penalty, strength in objective.penalties if isinstance(penalty, L2)), jnp.zeros(()))
        others = [(penalty, strength) for penalty, strength in objective.penalties if not isinstance(penalty, L2)]
        if len(others) > 1:
            names = " and ".join(type(penalty).__name__ for penalty, _ in others)
            raise BadInput(
                needed="ProximalDescent takes L2 and at most one other penalty: the prox of a sum is not known otherwise",
                given=names,
                cure="Add the strengths if they are of one kind; else use GradientDescent.",
            )

        def step(count, model, memory):
            learning_rate = rate_at(self.learning_rate, count)
            model = moved(model, eqx.filter_grad(objective.data_loss)(model), learning_rate)
            theta = L2().prox(parameters(model), learning_rate * weight_decay)
            for penalty, strength in others:
                theta = penalty.prox(theta, learning_rate * strength / (1 + learning_rate * weight_decay))
            return _placed(model, theta), memory

        return Plan(step)


def _placed(model: Any, theta: Any) -> Any:
    """The model with these parameters in the place of its own, which must be arrays of it, each once."""
    old = jax.tree.leaves(parameters(model))
    swap = {id(part): new for part, new in zip(old, jax.tree.leaves(theta), strict=True)}
    if len(swap) < len(old) or not set(swap) <= {id(part) for part in jax.tree.leaves(model)}:
        raise BadInput(
            needed="ProximalDescent replaces parameters, which must be arrays of the model, each once",
            given=f"a {type(model).__name__} that makes its parameters from other arrays",
            cure="Use GradientDescent.",
        )
    return jax.tree.map(lambda part: swap.get(id(part), part), model)
