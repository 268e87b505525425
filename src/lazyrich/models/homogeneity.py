"""How homogeneous a model is, measured."""

import equinox as eqx
import jax
import jax.numpy as jnp

from ..types import Array, Float
from . import tangent
from .base import movable


def rescaled(model, factor):
    """The model with all of its parameters times a factor."""
    return jax.tree.map(lambda part: factor * part if eqx.is_inexact_array(part) else part, movable(model))


def measured_degrees(model, x: Float[Array, "n ..."], factor: float) -> Float[Array, "n ..."]:
    r"""$1 + \log(\|\nabla f_{c\theta}(x_i)\|/\|\nabla f_\theta(x_i)\|)/\log c$ for a factor $c$, one number an output.

    All are $D$ where $f_{c\theta} = c^Df_\theta$, also where the outputs are zero; else they depend on the input and the factor.
    Assumes: no output whose gradient vanishes. Source: lyu2024, assumption 3.1.
    """
    before, after = (jnp.linalg.norm(tangent.features(part, x), axis=-1) for part in (model, rescaled(model, factor)))
    return 1 + jnp.log(after / before) / jnp.log(factor)
