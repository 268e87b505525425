"""The sum of singular values."""

import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, PyTree, Scalar
from .base import AbstractRegularizer

# Squared singular values below this fraction of the largest are rounding of the Gram matrix they are read from.
_NOTHING = 1e-14


class Nuclear(AbstractRegularizer):
    r"""$\sum_A\|A\|_*$ over the matrices among the parameters: pulls to low rank. Vectors and numbers cost nothing.

    Source: beyond_l2, section 2.
    """

    def value(self, parameters: PyTree) -> Scalar:
        """The sum of all singular values of all matrices."""
        return sum((nuclear_norm(part) for part in _matrices(parameters)), start=jnp.zeros(()))

    def subgradient(self, parameters: PyTree) -> PyTree:
        """The polar factor of each matrix, zeros for vectors."""
        _matrices(parameters)
        return jax.tree.map(lambda part: polar_factor(part) if part.ndim == 2 else jnp.zeros_like(part), parameters)

    def prox(self, parameters: PyTree, step: Scalar | float) -> PyTree:
        r"""$U\max(\Sigma - \text{step}, 0)V^\top$ of each matrix; vectors stay as they are."""
        _matrices(parameters)
        return jax.tree.map(lambda part: _shrunk(part, step) if part.ndim == 2 else part, parameters)


@jax.custom_jvp
def nuclear_norm(matrix: Float[Array, "a b"]) -> Scalar:
    """The sum of singular values; its derivative is the polar factor, also where singular values meet or vanish."""
    return jnp.sum(jnp.linalg.svd(matrix, compute_uv=False))


@nuclear_norm.defjvp
def _nuclear_norm_jvp(at, along):
    return nuclear_norm(*at), jnp.sum(polar_factor(*at) * along[0])


def polar_factor(matrix: Float[Array, "a b"]) -> Float[Array, "a b"]:
    r"""$UV^\top = A(A^\top A)^{-1/2}$, through the eigenvectors of the smaller Gram matrix: cheaper than an SVD.

    A singular value $\sigma_k$ comes out as $1$ up to $10^{-15}(\sigma_1/\sigma_k)^2$; below $10^{-7}\sigma_1$ it is
    taken as zero and comes out as 0, so zero gives zero.
    """
    if matrix.shape[0] < matrix.shape[1]:
        return polar_factor(matrix.T).T
    squares, vectors = jnp.linalg.eigh(matrix.T @ matrix)
    kept = squares > _NOTHING * squares[-1]
    inverse = jnp.where(kept, 1 / jnp.sqrt(jnp.where(kept, squares, 1.0)), 0.0)
    return ((matrix @ vectors) * inverse) @ vectors.T


def _shrunk(matrix: Float[Array, "a b"], step) -> Float[Array, "a b"]:
    left, values, right = jnp.linalg.svd(matrix, full_matrices=False)
    return (left * jnp.maximum(values - step, 0)) @ right


def _matrices(parameters: PyTree) -> list[Array]:
    parts = jax.tree.leaves(parameters)
    large = [part.shape for part in parts if part.ndim > 2]
    if large:
        raise BadInput(
            needed="Nuclear takes matrices, vectors and numbers",
            given=f"an array of shape {large[0]}",
            cure="Give the model's kernels as matrices, or use L2 or L1.",
        )
    return [part for part in parts if part.ndim == 2]
