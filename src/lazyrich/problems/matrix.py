"""Symmetric matrices of which some entries are known."""

import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..types import Array, Float, Key
from .base import Entries, Problem, require_count


def multiplication_table(key: Key, *, d: int, train_fraction: float = 0.05) -> Problem[Entries]:
    r"""$X^*_{ij} = ij/d^2$ for $i, j = 0..d-1$, a matrix of rank one, with a fraction of its entries known.

    `train_fraction` is that of the $d^2$ ordered places, drawn without repeats and rounded to a whole number: (i, j) and (j, i)
    are two places, and one may be known without the other. The test is every other place. Source: lyu2024, figure 3.
    """
    require_count("d", d)
    row = jnp.arange(d) / d
    return _observed(key, jnp.outer(row, row), train_fraction, "multiplication_table")


def low_rank_matrix(key: Key, *, d: int, rank: int, negative: int = 0, train_fraction: float = 0.5) -> Problem[Entries]:
    r"""$X^* = \frac1{\sqrt r}\sum_{k\le r}\pm a_k a_k^\top$ with $a_k\sim N(0, I_d)$, a fraction of its entries known.

    The last `negative` terms have a minus. Entries off the diagonal have variance one whatever the rank. Places are
    known as in `multiplication_table`.
    """
    require_count("d", d)
    require_count("rank", rank)
    require_count("negative", negative, least=0)
    if rank > d or negative > rank:
        raise BadInput(
            needed=f"low_rank_matrix takes a rank from 1 to d = {d}, and at most that many negative terms",
            given=f"rank={rank}, negative={negative}",
            cure="Lower the rank or raise d.",
        )
    factors = jr.normal(jr.fold_in(key, 2), (d, rank))
    signs = jnp.where(jnp.arange(rank) < rank - negative, 1.0, -1.0)
    return _observed(key, (factors * signs) @ factors.T / jnp.sqrt(1.0 * rank), train_fraction, "low_rank_matrix")


def _observed(key: Key, truth: Float[Array, "d d"], train_fraction: float, who: str) -> Problem[Entries]:
    d = truth.shape[0]
    n = round(train_fraction * d**2) if 0 < train_fraction <= 1 else 0
    if n < 1:
        raise BadInput(
            needed=f"{who} takes a train_fraction in (0, 1] of the {d**2} entries, at least one of them",
            given=f"train_fraction={train_fraction}",
            cure="Raise it, for example to 0.2.",
        )
    places = jr.permutation(jr.fold_in(key, 0), d * d)

    def entries(chosen):
        rows, cols = chosen // d, chosen % d
        return Entries(rows, cols, truth[rows, cols], (d, d))

    return Problem(entries(places[:n]), entries(places[n:]) if n < d**2 else None, truth, None)
