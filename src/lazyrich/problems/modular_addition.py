"""Addition of pairs modulo a number, some of the table known."""

import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..types import Key
from .base import Problem, Split, require_count


def modular_addition(key: Key, *, modulus: int, train_fraction: float = 0.4) -> Problem[Split]:
    r"""$(a, b)\mapsto a + b \bmod p$: a random fraction of all $p^2$ pairs to train on, the others to test on.

    Inputs are the pairs themselves, targets the classes 0 to $p - 1$; the truth is the whole table.
    Source: lyu2024, section 2.
    """
    require_count("modulus", modulus, least=2)
    known = int(train_fraction * modulus**2)
    if not 0 < known < modulus**2:
        raise BadInput(
            needed="modular_addition takes a train_fraction strictly between 0 and 1",
            given=f"train_fraction={train_fraction}, {known} of {modulus**2} pairs",
            cure="Use for example train_fraction=0.4.",
        )
    table = (jnp.arange(modulus)[:, None] + jnp.arange(modulus)) % modulus
    order = jr.permutation(jr.fold_in(key, 0), modulus**2)
    pairs = jnp.stack([order // modulus, order % modulus], axis=1).astype(float)
    targets = table.reshape(-1)[order].astype(float)
    train, test = (Split(pairs[part], targets[part]) for part in (slice(None, known), slice(known, None)))
    return Problem(train, test, table.astype(float), None)
