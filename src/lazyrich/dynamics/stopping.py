"""Rules that end a run: functions of the model that say true when it is enough."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from ..objective import Objective
from .base import Stop


def loss_below(objective: Objective, level: Any) -> Stop:
    """Stop when the loss without penalties is below a level; looked at in logarithms, which outlive the loss itself."""
    return lambda model: objective.log_data_loss(model) < jnp.log(level)


def gradient_below(objective: Objective, level: Any) -> Stop:
    """Stop when the norm of the gradient of the whole objective is below a level."""

    def rule(model):
        slope = eqx.filter_grad(objective)(model)
        return jnp.sqrt(sum(jnp.sum(part**2) for part in jax.tree.leaves(slope))) < level

    return rule


def either(*rules: Stop) -> Stop:
    """Stop when one of the rules says so."""
    return lambda model: jnp.stack([jnp.asarray(rule(model)) for rule in rules]).any()
