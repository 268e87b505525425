"""The first rows of a recovery, in an array that keeps its shape: one compiled program for every number of measurements."""

import jax.numpy as jnp

from ..errors import BadInput
from ..numerics.values import concrete
from .base import Problem, Split


def require_rows(rows: int, n, coherence) -> None:
    """Refuse rows that are not there, and fractions of them that are none."""
    known, fraction = concrete(n), concrete(coherence)
    if (known is not None and not 1 <= known <= rows) or (fraction is not None and not 0 <= fraction <= 1):
        raise BadInput(
            needed=f"from 1 to {rows} rows are there, and coherence is a fraction of them from 0 to 1",
            given=f"n={n}, coherence={coherence}",
            cure="Take fewer measurements than unknowns, or raise d.",
        )


def first_rows(problem: Problem[Split], n, coherence=0.0) -> Problem[Split]:
    r"""The truth measured by the first `n` rows, the first $\lfloor\text{coherence}\cdot n\rfloor$ of which read one entry each.

    The rest of the rows, and of the targets, are zeros. Both numbers may be traced: rows that are not there are NaN then.
    Assumes: targets without noise. Source: beyond_l2, appendix C.10.
    """
    x = problem.train.x
    rows, d = x.shape
    require_rows(rows, n, coherence)
    at = jnp.arange(rows)[:, None]
    # A fraction that is a whole number of rows on paper may be just below it in binary.
    plain = jnp.minimum(jnp.floor(coherence * n + 1e-9), d)
    kept = jnp.where(at < n, jnp.where(at < plain, jnp.eye(rows, d), x), 0.0)
    kept = jnp.where(n <= rows, kept, jnp.nan)
    return Problem(Split(kept, kept @ problem.truth), None, problem.truth, None)
