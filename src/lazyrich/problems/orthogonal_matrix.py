"""A matrix of low rank with random singular vectors, known by some of its entries or by products with random vectors."""

import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..numerics.values import concrete
from ..types import Array, Float, Int, Key, Scalar
from .base import Entries, Problem, Split, require_count


def orthogonal_matrix(
    key: Key, *, rows: int, cols: int, rank: int, spread: float | Scalar = 1.0, spike: float | Scalar = 0.0
) -> tuple[Float[Array, "rows rank"], Float[Array, " rank"], Float[Array, "cols rank"]]:
    r"""$U$, $\sigma$ and $V$: uniform orthonormal columns, and singular values from 1 to `spread` in equal steps.

    `spike` turns the columns: at 0 they are uniform, at 1 they are the first unit vectors, and a few rows and columns carry
    the matrix; at -1 their entries are alike but for signs, as far as they can be at right angles.
    Source: beyond_l2, definition D.1.
    """
    for name, value in (("rows", rows), ("cols", cols), ("rank", rank)):
        require_count(name, value)
    if rank > min(rows, cols):
        raise BadInput(
            needed=f"a matrix of {rows} x {cols} has a rank from 1 to {min(rows, cols)}",
            given=f"rank={rank}",
            cure="Lower the rank, or raise rows and cols.",
        )
    left, right = (_frame(jr.fold_in(key, at), size, rank, spike) for at, size in enumerate((rows, cols)))
    return left, jnp.linspace(1.0, spread, rank), right


def local_coherence(frame: Float[Array, "d r"]) -> Float[Array, " d"]:
    r"""$\frac dr\|U_{i,:}\|^2$ for every row of orthonormal columns: one on average.

    Source: beyond_l2, definition D.3.
    """
    return frame.shape[0] / frame.shape[1] * jnp.sum(frame**2, axis=1)


def coherent_places(key: Key, scores: Float[Array, "rows cols"], n, coherence) -> Int[Array, " places"]:
    r"""All places, counted row by row, in an order: first the `coherence` $\cdot n$ of the largest scores, then at random."""
    flat = -scores.ravel()
    rank = jnp.argsort(jnp.argsort(flat))
    # A fraction that is a whole number of places on paper may be just below it in binary.
    first = rank < jnp.floor(coherence * n + 1e-9)
    return jnp.argsort(jnp.where(first, rank - 1.0 * flat.size, jr.uniform(key, flat.shape)))


def orthogonal_completion(
    key: Key, *, rows: int, cols: int, rank: int, n: int, coherence: float | Scalar = 0.0, spread: float | Scalar = 1.0
) -> Problem[Entries]:
    r"""$n$ distinct entries of an `orthogonal_matrix`, a fraction of them, `coherence`, where $\mu_i + \nu_j$ is largest.

    The others are drawn from the rest; the test is every place that is left. $\mu$ and $\nu$ are the local coherences of
    rows and columns. Source: beyond_l2, appendix D.4.
    """
    require_count("n", n)
    _require_fraction(coherence)
    if n > rows * cols:
        raise BadInput(needed=f"n is at most the {rows * cols} entries there are", given=f"n={n}", cure="Lower n.")
    left, sizes, right = orthogonal_matrix(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank, spread=spread)
    truth = (left * sizes) @ right.T
    scores = local_coherence(left)[:, None] + local_coherence(right)
    order = coherent_places(jr.fold_in(key, 1), scores, n, coherence)
    rest = entries_of(truth, order[n:]) if n < rows * cols else None
    return Problem(entries_of(truth, order[:n]), rest, truth, None)


def entries_of(matrix: Float[Array, "rows cols"], places: Int[Array, " n"]) -> Entries:
    """The entries of a matrix at places counted row by row."""
    shape = (matrix.shape[0], matrix.shape[1])
    rows, cols = places // shape[1], places % shape[1]
    return Entries(rows, cols, matrix[rows, cols], shape)


def orthogonal_sensing(
    key: Key, *, rows: int, cols: int, rank: int, n: int, coherence: float | Scalar = 0.0, spread: float | Scalar = 1.0
) -> Problem[Split]:
    r"""$y_i = a_i^\top A^*b_i$ for an `orthogonal_matrix`, with $a_i\sim N(0, I/\text{rows})$ and $b_i\sim N(0, I/\text{cols})$.

    The first $\lfloor\text{coherence}\cdot n\rfloor$ of the $a_i$ (of the $b_i$), as far as there are any, are its left (right)
    singular vectors, continued to a basis. Inputs are the matrices $a_ib_i^\top$.
    Source: beyond_l2, appendix D.4 (which prints deviations of 1/rows and 1/cols: data then take 100 times longer to fit).
    """
    require_count("n", n)
    _require_fraction(coherence)
    left, sizes, right = orthogonal_matrix(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank, spread=spread)
    truth = (left * sizes) @ right.T
    a, b = (_probes(jr.fold_in(key, 1 + at), frame, n, coherence) for at, frame in enumerate((left, right)))
    x = a[:, :, None] * b[:, None, :]
    return Problem(Split(x, jnp.sum(x * truth, axis=(1, 2))), None, truth, None)


def _frame(key: Key, size: int, rank: int, spike) -> Float[Array, "d r"]:
    """Orthonormal columns, uniform at a spike of 0."""
    drawn = jr.normal(key, (size, rank))
    aim = jnp.where(spike < 0, jnp.sign(drawn) / jnp.sqrt(1.0 * size), jnp.eye(size, rank))
    drawn = (1 - jnp.abs(spike)) * drawn / jnp.linalg.norm(drawn, axis=0) + jnp.abs(spike) * aim
    turned, corner = jnp.linalg.qr(drawn)
    return turned * jnp.sign(jnp.diagonal(corner))


def _probes(key: Key, frame: Float[Array, "d r"], n: int, coherence) -> Float[Array, "n d"]:
    """Gaussian vectors, after the first columns of a basis that begins with the frame."""
    size, rank = frame.shape
    basis = jnp.linalg.qr(jnp.concatenate([frame, jr.normal(jr.fold_in(key, 1), (size, size - rank))], axis=1))[0]
    ordered = jnp.zeros((n, size)).at[: min(n, size)].set(basis.T[:n])
    coherent = jnp.arange(n) < jnp.minimum(jnp.floor(coherence * n + 1e-9), size)
    return jnp.where(coherent[:, None], ordered, jr.normal(key, (n, size)) / jnp.sqrt(1.0 * size))


def _require_fraction(coherence) -> None:
    known = concrete(coherence)
    if known is not None and not 0 <= known <= 1:
        raise BadInput(
            needed="a coherence is a fraction of the measurements, from 0 to 1",
            given=f"coherence={coherence}",
            cure="Give for example 0.25.",
        )
