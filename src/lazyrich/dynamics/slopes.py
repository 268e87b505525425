"""Slopes of parts of an objective: of the penalties alone, and of a few samples."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from ..models import parameters
from ..objective import Objective
from ..types import Array, Int


def penalty_slope(objective: Objective, model: Any) -> Any:
    r"""$\sum_j\text{strength}_j\,h_j(\theta)$ with the subgradients $h_j$, laid out like the model's arrays."""
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    theta, back = jax.vjp(lambda part: parameters(eqx.combine(part, rest)), arrays)
    total = jax.tree.map(jnp.zeros_like, theta)
    for penalty, strength in objective.penalties:
        pull = penalty.subgradient(theta)
        total = jax.tree.map(lambda part, more, strength=strength: part + strength * more, total, pull)
    return back(total)[0]


def of_samples(objective: Objective, index: Int[Array, " b"]) -> tuple[Objective, float]:
    """The objective on these samples, and what its data loss is multiplied by to be right on average."""
    part = eqx.tree_at(lambda whole: whole.data, objective, jax.tree.map(lambda rows: rows[index], objective.data))
    return part, objective.weight * objective.data.n / (part.weight * index.shape[0])


def sample_slope(part: Objective, scale: float, model: Any) -> Any:
    r"""$\text{scale}\cdot\nabla$ of the data loss of a part of the samples."""
    return eqx.filter_grad(lambda net: scale * part.data_loss(net))(model)


def plus(a: Any, b: Any) -> Any:
    """The sum of two slopes."""
    return jax.tree.map(lambda left, right: left + right, a, b)
