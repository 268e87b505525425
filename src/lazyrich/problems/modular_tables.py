"""Tables of an operation on pairs modulo a number, some of a table known."""

import math

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ..errors import BadInput
from ..types import Key
from .base import Problem, Split, require_count

OPERATIONS = ("addition", "subtraction", "multiplication", "division")
SYMMETRIC = ("addition", "multiplication")


def modular_table(
    key: Key, *, operation: str, modulus: int, train_fraction: float = 0.4, unordered: bool = False
) -> Problem[Split]:
    r"""$(a, b)\mapsto a\circ b\bmod p$: a random fraction of all pairs to train on, the others to test on.

    `unordered` keeps one order of each pair, $a\le b$, so that no test pair is a training pair turned round; it fits
    operations that do not know the order. Division is by $b\ne 0$ and needs a prime. The truth is the table, with zeros
    where there is no quotient.    Source: beyond_l2, section E.3.
    """
    require_count("modulus", modulus, least=2)
    _require_fitting(operation, modulus, unordered)
    a, b = np.meshgrid(np.arange(modulus), np.arange(modulus), indexing="ij")
    table = _answers(operation, a, b, modulus)
    kept = (a <= b) if unordered else (b > 0 if operation == "division" else a >= 0)
    pairs, targets = jnp.asarray(np.stack([a[kept], b[kept]], axis=1)), jnp.asarray(table[kept])
    count = targets.size
    known = int(train_fraction * count)
    if not 0 < known < count:
        raise BadInput(
            needed="modular_table takes a train_fraction strictly between 0 and 1",
            given=f"train_fraction={train_fraction}, {known} of {count} pairs",
            cure="Use for example train_fraction=0.4.",
        )
    order = jr.permutation(jr.fold_in(key, 0), count)
    train, test = (Split(pairs[part].astype(float), targets[part].astype(float)) for part in (order[:known], order[known:]))
    return Problem(train, test, jnp.asarray(table, float), None)


def _answers(operation: str, a, b, modulus: int):
    if operation == "division":
        inverse = np.array([0] + [pow(number, -1, modulus) for number in range(1, modulus)])
        return a * inverse[b] % modulus
    return {"addition": a + b, "subtraction": a - b, "multiplication": a * b}[operation] % modulus


def _require_fitting(operation: str, modulus: int, unordered: bool) -> None:
    if operation not in OPERATIONS:
        raise BadInput(needed=f"an operation is one of {', '.join(OPERATIONS)}", given=repr(operation), cure="Use addition.")
    if operation == "division" and any(modulus % low == 0 for low in range(2, math.isqrt(modulus) + 1)):
        raise BadInput(
            needed="division needs a prime modulus: only then has every number but 0 an inverse",
            given=f"modulus={modulus}",
            cure="Use for example 23 or 97, or another operation.",
        )
    if unordered and operation not in SYMMETRIC:
        raise BadInput(
            needed=f"pairs without order fit {' and '.join(SYMMETRIC)}",
            given=f"{operation}, which changes when a pair is turned round",
            cure="Leave out unordered.",
        )
