"""The relative squared error of a model of real targets."""

import jax.numpy as jnp

from ..errors import BadInput
from ..models import entries, outputs
from ..problems import Entries, Split
from ..types import Scalar


def relative_error(model, data: Split | Entries) -> Scalar:
    r"""$\sum_i(f(x_i) - y_i)^2/\sum_i y_i^2$: the squared error over the squares of the targets; 1 for a model of output zero."""
    if isinstance(data, Entries):
        found = entries(model, data.rows, data.cols, data.shape)
    else:
        found = outputs(model, data.x)
    if found.shape != data.y.shape:
        raise BadInput(
            needed="relative_error compares outputs with targets of the same shape",
            given=f"outputs {found.shape} and targets {data.y.shape}",
            cure="Read the accuracy of classes instead.",
        )
    return jnp.sum((found - data.y) ** 2) / jnp.sum(data.y**2)
