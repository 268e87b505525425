"""Every matrix of parameters at a multiple of the identity, exactly or with noise."""

from typing import TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..models import require_movable
from ..numerics.values import concrete
from ..types import Key

Model = TypeVar("Model")


def identity(model: Model, alpha) -> Model:
    r"""$\alpha I$ in place of every matrix of parameters; of a $d\times r$ matrix, the first columns or rows of $\alpha I$.

    `alpha` is each diagonal entry: the norm of all parameters of a square SymmetricNet is $\alpha\sqrt{2d}$.
    Source: lyu2024, corollary 3.11.
    """
    arrays, rest = _matrices(model, "identity()")
    return eqx.combine(jax.tree.map(lambda part: alpha * jnp.eye(*part.shape, dtype=part.dtype), arrays), rest)


def noisy_identity(key: Key, model: Model, alpha, *, noise) -> Model:
    r"""$\alpha I$ plus independent $N(0, \text{noise}^2)$ on every entry of every matrix.

    An exact identity can stick at a saddle that the noise leaves. Source: lyu2024, remark 3.13.
    """
    size = concrete(noise)
    if size is not None and not (size >= 0).all():
        raise BadInput(
            needed="noisy_identity() takes a noise >= 0, a standard deviation", given=f"{size}", cure="Use identity()."
        )
    arrays, rest = _matrices(identity(model, alpha), "noisy_identity()")
    leaves, tree = jax.tree.flatten(arrays)
    moved = [part + noise * jr.normal(jr.fold_in(key, index), part.shape, part.dtype) for index, part in enumerate(leaves)]
    return eqx.combine(jax.tree.unflatten(tree, moved), rest)


def _matrices(model, who: str):
    require_movable(model, who)
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    shapes = [part.shape for part in jax.tree.leaves(arrays)]
    if not shapes or any(len(shape) != 2 for shape in shapes):
        raise BadInput(
            needed=f"{who} takes a model whose parameters are matrices",
            given=f"a {type(model).__name__} with shapes {shapes}",
            cure="Use constant() for vectors.",
        )
    return arrays, rest
