r"""Tangent features $\nabla_\theta f_\theta(x)$ and the tangent kernel $\langle\nabla f(x), \nabla f(x')\rangle$ of any model.

A model is anything of `lazyrich.models` or any equinox module called on one input; its parameters are its
floating-point arrays, in the order of its leaves (those of the net it stands for, where it is read-only).
"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

from ..errors import BadInput
from ..numerics.stable import scaled_to_one
from ..types import Array, Float, PyTree, Scalar
from .base import movable

MEMORY = 2**28
"""The bytes of Jacobian that `kernel` holds at most, by default: 256 MiB."""


def features(model, x: Float[Array, "n ..."]) -> Float[Array, "n ... p"]:
    r"""The Jacobian $\partial f_a(x_i)/\partial\theta_j$: one row a sample, or $k$ rows where there are $k$ outputs."""
    sizes = Sizes.of(model, x)
    return _joined(movable(model), x).reshape(x.shape[0], *sizes.outputs, sizes.p)


def kernel(
    model, x: Float[Array, "n ..."], x2: Float[Array, "m ..."] | None = None, *, memory: int = MEMORY
) -> Float[Array, "n m"] | Float[Array, "n k m k"]:
    r"""$K_{ij} = \langle\nabla f(x_i), \nabla f(x'_j)\rangle$ against $x'$, or $x$ itself.

    With $k$ outputs $K_{iajb} = \langle\nabla f_a(x_i), \nabla f_b(x'_j)\rangle$, of shape (n, k, m, k).
    Beside the kernel itself and what a backward pass over a block of samples takes, no more than `memory` bytes of
    Jacobian are held (256 MiB by default): all of it in one product where that fits, else two blocks of samples at a
    time, else one gradient at a time, each pushed through the model by forward derivatives.
    """
    sizes, other = Sizes.of(model, x), x if x2 is None else x2
    rows = x.shape[0] + (0 if x2 is None else other.shape[0])
    one = sizes.k * sizes.p * sizes.item
    if memory < 2 * sizes.p * sizes.item:
        raise BadInput(
            needed=f"kernel holds at least two gradients of {sizes.p} parameters, {2 * sizes.p * sizes.item} bytes",
            given=f"memory={memory}",
            cure="Give more memory; the default is 2**28 bytes.",
        )
    if rows * one <= memory:
        table = _whole(movable(model), x, x2)
    elif 2 * one <= memory:
        table = _in_blocks(movable(model), x, other, memory // (2 * one))
    else:
        table = _one_by_one(movable(model), x, other, sizes.k)
    return table.reshape(x.shape[0], *sizes.outputs, other.shape[0], *sizes.outputs)


def combined(model, x: Float[Array, "n ..."], weights: Float[Array, "n ..."]) -> Float[Array, " p"]:
    r"""$\sum_{ia} c_{ia}\nabla f_a(x_i)$: weights on outputs turned into a direction of parameters, by one backward pass."""
    return _pulled(movable(model), x, weights)


def along(model, x: Float[Array, "n ..."], direction: Float[Array, " p"]) -> Float[Array, "n ..."]:
    r"""$\langle\nabla f_a(x_i), h\rangle$ for a direction $h$ of parameters: how outputs change along it, to first order."""
    return _pushed(movable(model), x, direction)


def kernel_distance(k0: Float[Array, "..."], k1: Float[Array, "..."]) -> Scalar:
    r"""$1 - \langle K_0, K_1\rangle/(\|K_0\|\|K_1\|)$: 0 when one is a multiple of the other; 1 when one is zero.

    Computed as half the squared distance of the two at length one, so that nothing cancels when they are near.
    """
    return _cosine_distance(jnp.ravel(k0), jnp.ravel(k1))


def feature_distance(j0: Float[Array, "n ... p"], j1: Float[Array, "n ... p"]) -> Scalar:
    r"""$1 - \langle J_0, J_1\rangle/(\|J_0\|\|J_1\|)$ of two Jacobians as long vectors: the gradient distance.

    Source: woodworth2020, figure 6.
    """
    return _cosine_distance(jnp.ravel(j0), jnp.ravel(j1))


def example_distance(j0: Float[Array, "n ... p"], j1: Float[Array, "n ... p"]) -> Scalar:
    """The mean over examples of the cosine distance of their own features."""
    n = j0.shape[0]
    return jnp.mean(jax.vmap(_cosine_distance)(j0.reshape(n, -1), j1.reshape(n, -1)))


class Sizes(NamedTuple):
    """What a tangent is made of: the shape of one output, how many numbers that is, parameters, bytes of a number."""

    outputs: tuple[int, ...]
    k: int
    p: int
    item: int

    @classmethod
    def of(cls, model, x) -> "Sizes":
        """The sizes on these inputs; a model that does not fit them or has no parameters is refused."""
        leaves = jax.tree.leaves(_parted(movable(model))[0])
        try:
            one = jax.eval_shape(movable(model), x[0]).shape
        except (TypeError, ValueError, AttributeError, IndexError) as fault:
            raise BadInput(
                needed=f"a tangent of {type(model).__name__} takes inputs that it can be called on, one a row",
                given=f"inputs of shape {x.shape[1:]}: {str(fault).splitlines()[0] if str(fault) else fault!r}",
                cure="Give x of shape (n, d) for a model of d inputs, with outputs of shape () or (k,).",
            ) from fault
        if not leaves or len(one) > 1:
            raise BadInput(
                needed="a tangent is of a model with floating-point parameters and outputs of shape () or (k,)",
                given=f"{type(model).__name__} with {len(leaves)} such arrays and outputs of shape {one}",
                cure="Hold the parameters as arrays of an equinox module.",
            )
        k = one[0] if one else 1
        return cls(one, k, sum(leaf.size for leaf in leaves), jnp.result_type(*leaves).itemsize)


def _parted(model) -> tuple[PyTree, PyTree]:
    """The parameters, and what stays as it is."""
    return eqx.partition(model, eqx.is_inexact_array)


def _rows(model, x) -> list[Float[Array, "r q"]]:
    """The Jacobian as one matrix an array of the model, samples and outputs along the rows: nothing is copied together."""
    moving, fixed = _parted(model)
    slopes = jax.vmap(lambda one: jax.jacrev(lambda moving: eqx.combine(moving, fixed)(one))(moving))(x)
    sizes = [leaf.size for leaf in jax.tree.leaves(moving)]
    return [slope.reshape(-1, size) for slope, size in zip(jax.tree.leaves(slopes), sizes, strict=True)]


def _product(left: list, right: list) -> Float[Array, "r s"]:
    """The inner products of rows, summed over the arrays of the model."""
    total = left[0] @ right[0].T
    for a, b in zip(left[1:], right[1:], strict=True):
        total = total + a @ b.T
    return total


@eqx.filter_jit
def _pulled(model, x, weights):
    moving, fixed = _parted(model)
    back = jax.vjp(lambda moving: jax.vmap(eqx.combine(moving, fixed))(x), moving)[1]
    return ravel_pytree(back(weights)[0])[0]


@eqx.filter_jit
def _pushed(model, x, direction):
    moving, fixed = _parted(model)
    tangent = ravel_pytree(moving)[1](direction)
    return jax.jvp(lambda moving: jax.vmap(eqx.combine(moving, fixed))(x), (moving,), (tangent,))[1]


@eqx.filter_jit
def _joined(model, x):
    return jnp.concatenate(_rows(model, x), axis=1)


@eqx.filter_jit
def _whole(model, x, x2):
    rows = _rows(model, x)
    return _product(rows, rows if x2 is None else _rows(model, x2))


@eqx.filter_jit
def _in_blocks(model, x, x2, block: int):
    """Two blocks of rows at a time; the last block is filled up with its last sample."""
    ours, theirs = _blocks(x, block), _blocks(x2, block)

    def against(mine):
        rows = _rows(model, mine)
        return jax.lax.map(lambda other: _product(rows, _rows(model, other)), theirs)

    table = jnp.swapaxes(jax.lax.map(against, ours), 1, 2)
    k = table.shape[1] // ours.shape[1]
    return table.reshape(-1, table.shape[2] * table.shape[3])[: k * x.shape[0], : k * x2.shape[0]]


def _blocks(x, block: int):
    n = x.shape[0]
    size = min(block, n)
    return x[jnp.minimum(jnp.arange(-(-n // size) * size), n - 1).reshape(-1, size)]


@eqx.filter_jit
def _one_by_one(model, x, x2, k: int):
    """One gradient at a time, pushed forward at each of the other inputs."""
    moving, fixed = _parted(model)

    def output(moving, one):
        return jnp.atleast_1d(eqx.combine(moving, fixed)(one))

    def row(place):
        gradient = jax.grad(lambda moving: output(moving, x[place // k])[place % k])(moving)
        return jax.lax.map(lambda one: jax.jvp(lambda w: output(w, one), (moving,), (gradient,))[1], x2)

    return jax.lax.map(row, jnp.arange(k * x.shape[0]))


def _cosine_distance(a: Float[Array, " q"], b: Float[Array, " q"]) -> Scalar:
    a, b = _unit(a), _unit(b)
    both = jnp.any(a != 0) & jnp.any(b != 0)
    return jnp.where(both, jnp.sum((a - b) ** 2) / 2, 1.0)


def _unit(a: Float[Array, " q"]) -> Float[Array, " q"]:
    scaled = scaled_to_one(a)
    length = jnp.linalg.norm(scaled)
    return scaled / jnp.where(length == 0, 1.0, length)
