"""An orthonormal frame of the rows of a matrix."""

import jax.numpy as jnp

from ..types import Array, Float


def row_space(matrix: Float[Array, "n d"]) -> Float[Array, "r d"]:
    r"""$\Phi^\top$ with $\Phi\Phi^\top$ the projector onto the rows: $\min(n, d)$ orthonormal rows, zeros beyond the rank.

    Singular values below $\max(n, d)\,\epsilon\,s_1$ count as zero.
    """
    _, values, rows = jnp.linalg.svd(matrix, full_matrices=False)
    floor = max(matrix.shape) * jnp.finfo(values.dtype).eps * values[0]
    return jnp.where((values > floor)[:, None], rows, 0.0)
