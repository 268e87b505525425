"""Few measurements of a vector that is sparse in an orthonormal basis, the more coherent with it the more of it they read."""

import math

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ..errors import BadInput
from ..numerics.values import concrete
from ..types import Array, Float, Key
from .base import Problem, Split, require_count


def compressed_sensing(
    key: Key,
    *,
    n: int,
    d: int,
    sparsity: int,
    size: float = 1.0,
    noise: float = 0.0,
    coherence: float = 0.0,
    basis: Float[Array, "rows columns"] | None = None,
) -> Problem[Split]:
    r"""$y = X\Phi b^* + N(0, \text{noise}^2)$, where $b^*$ has `sparsity` entries $N(0, \text{size}^2)$ at random places.

    Measurements are those of `measure`. The problem's truth is $b^*$ and its inputs are $X\Phi$.
    Source: beyond_l2, section 2 (which prints a size of $1/\sqrt d$; its figures are those of size 1).
    """
    require_count("sparsity", sparsity)
    if sparsity > d or not size > 0:
        raise BadInput(
            needed=f"compressed_sensing takes a sparsity from 1 to d = {d} and a size > 0",
            given=f"sparsity={sparsity}, size={size}",
            cure="Lower the sparsity or raise d.",
        )
    places, values, rest = jr.split(key, 3)
    support = jr.permutation(places, jnp.arange(d)) < sparsity
    truth = jnp.where(support, size * jr.normal(values, (d,)), 0.0)
    return measure(rest, truth, n=n, noise=noise, coherence=coherence, basis=basis)


def measure(
    key: Key,
    truth: Float[Array, " d"],
    *,
    n: int,
    noise: float = 0.0,
    coherence: float = 0.0,
    basis: Float[Array, "rows columns"] | None = None,
) -> Problem[Split]:
    r"""Measurements $X\Phi b^*$ of coefficients $b^*$ in the orthonormal columns of `basis`, by default those of the identity.

    The first $\lfloor\text{coherence}\cdot n\rfloor$ rows of $X$, at most $d$, are columns of $\Phi$, so that each reads one
    coefficient; the others are $N(0, I_d/d)$. Source: beyond_l2, section 2 and appendix C.10.
    """
    require_count("n", n)
    if not (0 <= coherence <= 1 and noise >= 0):
        raise BadInput(
            needed="measurements take a coherence from 0 to 1, a fraction of the rows, and a noise >= 0",
            given=f"coherence={coherence}, noise={noise}",
            cure="Give for example coherence=0.25 and noise=0.",
        )
    d = truth.size
    columns = jnp.eye(d) if basis is None else _orthonormal(basis, d)
    drawn, errors = jr.split(key)
    # A fraction that is a whole number of rows on paper may be just below it in binary.
    plain = min(math.floor(coherence * n + 1e-9), d)
    rows = jr.normal(drawn, (n, d)) / jnp.sqrt(1.0 * d)
    x = jnp.where(jnp.arange(n)[:, None] < plain, jnp.eye(n, d), rows @ columns)
    return Problem(Split(x, x @ truth + noise * jr.normal(errors, (n,))), None, truth, None)


def _orthonormal(basis, d: int) -> Float[Array, "d d"]:
    known = concrete(basis)
    if basis.shape != (d, d) or (known is not None and not np.allclose(known.T @ known, np.eye(d), atol=1e-8)):
        raise BadInput(
            needed=f"a basis is a matrix of {d} orthonormal columns",
            given=f"a matrix of shape {basis.shape}" + ("" if basis.shape != (d, d) else " that is not orthonormal"),
            cure="Give for example the q of numpy.linalg.qr, or leave it out for the identity.",
        )
    return basis
