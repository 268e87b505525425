"""A wide Gaussian two-layer linear net, drawn at the width its rows span."""

from typing import Any

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ..errors import BadInput
from ..models import LinearNet
from ..numerics.values import concrete
from ..types import Key
from .gaussian import gaussian


def bartlett(key: Key, *, dim: int, outputs: int, width: Any, scale: Any) -> LinearNet:
    r"""$[V; U] = \sigma L$ with $L$ lower triangular, $L_{ii}\sim\chi_{h-i+1}$ and $L_{ij}\sim N(0, 1)$ below.

    Its Gram matrix has the law of that of a net of width $h$ with entries $N(0, \sigma^2)$, so everything that turning
    the hidden layer leaves alone (the map, the flow of the map, norms, the spectrum of the imbalance) has the same law
    at width $d + k$: $h = 10^7$ costs what $10^3$ does. Below $d + k$ units it is the plain Gaussian net; where the
    width is traced, $L$ has that many columns and zeros beyond. In law, not draw by draw: to compare widths pairwise,
    draw the weights.
    Source: min2021, section 4.
    """
    rows, known = dim + outputs, concrete(width)
    if known is not None and (known.ndim or known < 1 or known != np.round(known)):
        raise BadInput(
            needed="bartlett() takes a width that is a whole number of at least 1",
            given=repr(width),
            cure="Give for example width=10**7.",
        )
    if known is not None and known <= rows:
        return gaussian(key, LinearNet.at_zero(dim=dim, outputs=outputs, width=int(known)), scale=scale)
    width = jnp.asarray(width, float)
    below, diagonal = jr.split(key)
    column = jnp.arange(rows)
    chi = jnp.sqrt(jr.chisquare(diagonal, jnp.maximum(width - column, 1.0), (rows,)))
    factor = scale * (jnp.tril(jr.normal(below, (rows, rows)), -1) + jnp.diag(chi)) * (column < width)
    return LinearNet(u=factor[outputs:], v=factor[:outputs])
