"""How steep a flow is: its fastest rate, the sharpness of an objective, and how near a descent is to its edge."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from ..objective import Objective
from ..types import Scalar

# Products with the Jacobian: the estimate is from below, and good to a few percent where the top eigenvalue stands out.
PRODUCTS = 30


def fastest(field: Callable[[Any], Any], state: Any, *, products: int = PRODUCTS) -> Scalar:
    """The modulus of the largest eigenvalue of a field's Jacobian, by power iteration from a fixed random vector."""
    flat, unravel = ravel_pytree(state)

    def push(_, carry):
        vector, _ = carry
        image = jax.jvp(lambda y: ravel_pytree(field(unravel(y)))[0], (flat,), (vector,))[1]
        size = jnp.linalg.norm(image)
        return jnp.where(size > 0, image / jnp.where(size > 0, size, 1.0), vector), size

    vector = jr.normal(jr.key(0), flat.shape, flat.dtype)
    start = (vector / jnp.linalg.norm(vector), jnp.zeros((), flat.dtype))
    return jax.lax.fori_loop(0, products, push, start)[1]


def sharpness(objective: Objective, model: Any, *, products: int = PRODUCTS) -> Scalar:
    """The largest eigenvalue, in modulus, of the Hessian of the objective in the model's arrays."""
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    slope = jax.grad(lambda part: objective(eqx.combine(part, rest)))
    return fastest(slope, arrays, products=products)


def edge(objective: Objective, learning_rate: Any) -> Callable[[Any], Scalar]:
    r"""$\text{rate}\cdot\text{sharpness}$ as a reading: a descent follows its flow well below 1, and is unstable from 2 on."""
    return lambda model: learning_rate * sharpness(objective, model)
