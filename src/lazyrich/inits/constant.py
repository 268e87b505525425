"""Every parameter at one value."""

from typing import Literal, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..models import require_movable

Model = TypeVar("Model")


def constant(model: Model, alpha, *, convention: Literal["per_coordinate", "norm"]) -> Model:
    r"""Every parameter at one value: `alpha` itself, or $\alpha/\sqrt p$ so that $\|\theta\|_2 = \alpha$.

    Papers use both under the name "initial scale", and they differ by $\sqrt{2d}$ for a diagonal net (by
    447 at $d = 10^5$): so the convention has no default.
    """
    require_movable(model, "constant()")
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    if convention not in ("per_coordinate", "norm"):
        raise BadInput(
            needed="constant() takes convention 'per_coordinate' or 'norm'",
            given=repr(convention),
            cure="Use 'norm' if alpha is the norm of all parameters together.",
        )
    count = sum(part.size for part in jax.tree.leaves(arrays))
    value = alpha if convention == "per_coordinate" else alpha / jnp.sqrt(1.0 * count)
    return eqx.combine(jax.tree.map(lambda part: jnp.full_like(part, value), arrays), rest)
