"""Integrals of one variable with fixed nodes."""

import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm

from ..types import Scalar

# 96 Gauss-Legendre nodes on (0, 1): the integrands below are smooth in the stretched variable, and the
# half-normal density beyond 9 weighs less than 1e-18.
_NODES, _WEIGHTS = (0.5 * (part + shift) for part, shift in zip(np.polynomial.legendre.leggauss(96), (1.0, 0.0), strict=True))
_REACH = 9.0


def mean_over_half_normal(slope, offset) -> Scalar:
    r"""$\mathbb E_{g\sim|N(0,1)|}\,\Phi\big(r\,(g + b)\big)$ for a slope $r$ and an offset $b$.

    The nodes are spread as $g = \sinh(v)/|r|$, so a steep $\Phi$ near $g = 0$ is met by as many nodes as the
    smooth tail.
    """
    steep = jnp.maximum(jnp.abs(slope), 1.0)
    top = jnp.arcsinh(_REACH * steep)
    v = top * jnp.asarray(_NODES)
    g = jnp.sinh(v) / steep
    density = 2 * norm.pdf(g) * jnp.cosh(v) * top / steep
    return jnp.sum(jnp.asarray(_WEIGHTS) * density * norm.cdf(slope * (g + offset)))
