r"""The inverse of $F(x) = x\log x$ on $x\ge 1$, in logarithms."""

import jax.numpy as jnp

from ..types import Array, Float


def log_linear_log_inverse(log_y: Float[Array, "..."]) -> Float[Array, "..."]:
    r"""$\log F^{-1}(y)$ from $\log y$: the $w$ with $w + \log w = \log y$, Lambert's $W_0(y)$.

    Newton's method on that equation, which is concave: from the second step on it climbs to the root and squares its
    error. Any $\log y$ will do, $e^{1000}$ as well as $e^{-700}$.
    """
    log_y = jnp.asarray(log_y, float)
    large = jnp.maximum(log_y, 1.0)
    w = jnp.where(log_y > 1, large - jnp.log(large), jnp.exp(log_y - jnp.logaddexp(0.0, log_y)))
    for _ in range(8):
        w = w * (1 + log_y - jnp.log(w)) / (1 + w)
    return w
