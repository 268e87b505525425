"""Rectangular matrices of low rank of which some entries are known."""

import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..types import Key
from .base import Entries, Problem, require_count


def low_rank_product(key: Key, *, rows: int, cols: int, rank: int = 1, n: int) -> Problem[Entries]:
    r"""$Y^* = \frac1{\sqrt r}AB^\top$ with $A$ ($m\times r$) and $B$ ($q\times r$) of independent $N(0, 1)$, $n$ entries known.

    Entries have variance one whatever the rank. The known places are drawn without repeats; the test is every other
    place. Source: woodworth2020, appendix A.
    """
    for name, value in (("rows", rows), ("cols", cols), ("rank", rank), ("n", n)):
        require_count(name, value)
    if n > rows * cols or rank > min(rows, cols):
        raise BadInput(
            needed=f"low_rank_product takes n up to the {rows * cols} entries and a rank up to {min(rows, cols)}",
            given=f"n={n}, rank={rank}",
            cure="Lower them, or raise rows and cols.",
        )
    left, right = (jr.normal(jr.fold_in(key, 2 + at), (size, rank)) for at, size in enumerate((rows, cols)))
    truth = left @ right.T / jnp.sqrt(1.0 * rank)
    places = jr.permutation(jr.fold_in(key, 0), rows * cols)

    def entries(chosen):
        return Entries(chosen // cols, chosen % cols, truth[chosen // cols, chosen % cols], (rows, cols))

    return Problem(entries(places[:n]), entries(places[n:]) if n < rows * cols else None, truth, None)
