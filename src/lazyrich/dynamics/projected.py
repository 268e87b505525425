"""Subgradient steps on the penalties among the models that fit the data."""

from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..models import AbstractLinearModel
from ..objective import Objective
from .schedules import rate_at, require_positive
from .slopes import penalty_slope
from .stepwise import AbstractStepwise, Plan, moved


class ProjectedSubgradient(AbstractStepwise):
    r"""$\theta\leftarrow\Pi\bigl(\theta - \eta\sum_j\text{strength}_j\,h_j(\theta)\bigr)$, $h_j\in\partial R_j$.

    $\Pi(\theta) = \theta - J^\top(JJ^\top)^+(J\theta - y)$ is the nearest point that fits the data, $J$ the matrix from
    parameters to outputs: the inputs for plain weights, a choice of entries for a matrix. From the first step on the
    data are fitted; only the penalties descend, and only learning rate times strength matters. The certificate `feasibility` is
    $\|f - y\|/\|y\|$ at the end: large if the data cannot be fitted.
    Assumes: outputs linear in the parameters, targets that are numbers and not labels, at least one penalty.
    Source: beyond_l2, theorem C.14.
    """

    learning_rate: Any
    how: ClassVar[str] = "projected subgradient descent"

    def __check_init__(self):
        """The learning rate is positive."""
        require_positive(self, "learning_rate")

    def plan(self, objective: Objective, init: Any) -> Plan:
        """A step on the penalties, then back onto the data."""
        _require_fit(objective, init)
        arrays, rest = eqx.partition(init, eqx.is_inexact_array)
        targets = objective.data.y.ravel()
        outputs, back = jax.vjp(lambda part: objective.outputs(eqx.combine(part, rest)).ravel(), arrays)
        (rows,) = jax.vmap(back)(jnp.eye(outputs.size))
        flat = [part.reshape(outputs.size, -1) for part in jax.tree.leaves(rows)]
        inverse = jnp.linalg.pinv(sum(part @ part.T for part in flat), hermitian=True)

        def step(count, model, memory):
            model = moved(model, penalty_slope(objective, model), rate_at(self.learning_rate, count))
            (correction,) = back(inverse @ (objective.outputs(model).ravel() - targets))
            return moved(model, correction, 1.0), memory

        def certify(model, memory, count):
            residual = jnp.linalg.norm(objective.outputs(model).ravel() - targets)
            return {"feasibility": residual / jnp.linalg.norm(targets)}

        return Plan(step, certify=certify)


def _require_fit(objective: Objective, init: Any) -> None:
    who = "ProjectedSubgradient"
    if not isinstance(init, AbstractLinearModel) or init.degree != 1:
        degree = f" of degree {init.degree}" if isinstance(init, AbstractLinearModel) else ""
        raise BadInput(
            needed=f"{who} projects onto the models that fit the data, which takes outputs linear in the parameters",
            given=f"a {type(init).__name__}{degree}",
            cure="Use plain weights or a plain matrix, or GradientDescent.",
        )
    if objective.loss.signs_only:
        raise BadInput(
            needed=f"{who} fits targets that are numbers",
            given=f"{type(objective.loss).__name__}, a loss of labels",
            cure="Use Squared().",
        )
    if not objective.penalties:
        raise BadInput(
            needed=f"{who} descends on penalties",
            given="an objective without any",
            cure="Give for example penalties=[(L1(), 1e-3)].",
        )
