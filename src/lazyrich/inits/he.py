"""He starts: each layer keeps the size of what passes through it."""

import jax.numpy as jnp
import jax.random as jr

from ..models.pair_net import PairNet
from ..types import Key


def he_pairs(
    key: Key, *, symbols: int, width: int, classes: int | None = None, alpha=1.0, silent: bool = False
) -> PairNet:
    r"""$A, B\sim N(0, 2/(2p))$, $W\sim N(0, 1/h)$, no bias, all weights times `alpha`; `silent` makes $W = 0$.

    The first layer has $2p$ inputs and a ReLU behind it, the second $h$ inputs and none.    Source: lyu2024, section 2.
    """
    classes = symbols if classes is None else classes
    one, two, three = (jr.fold_in(key, i) for i in range(3))
    layer = alpha * jnp.sqrt(2 / (2 * symbols))
    out = jnp.zeros((width, classes)) if silent else alpha * jr.normal(three, (width, classes)) / jnp.sqrt(1.0 * width)
    first, second = (layer * jr.normal(own, (symbols, width)) for own in (one, two))
    return PairNet(first, second, jnp.zeros(width), out)
