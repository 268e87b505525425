r"""The hyperbolic entropy $q(z) = \int_0^z \sinh^{-1}(u/2)\,du$ and its scaled forms.

Everything takes the scale as $\log c$, so that $c$ itself may underflow.
"""

import jax.numpy as jnp

from ..types import Array, Float


def hyperbolic_entropy(z: Float[Array, "..."]) -> Float[Array, "..."]:
    r"""$q(z) = 2 - \sqrt{4 + z^2} + z\sinh^{-1}(z/2)$, without cancellation.

    Quadratic ($z^2/4$) near 0, $|z|\log|z| - |z| + 2$ far away.
    Source: woodworth2020, theorem 1.
    """
    return z * (jnp.arcsinh(z / 2) - z / (2 + jnp.hypot(2.0, z)))


def scaled_arcsinh(b: Float[Array, "..."], log_c) -> Float[Array, "..."]:
    r"""$\sinh^{-1}(b / 2c)$ from $b$ and $\log c$."""
    c = jnp.exp(log_c)
    size = jnp.abs(b)
    far = (size >= 2 * c) & (size > 0)
    distant = jnp.log((jnp.where(far, size, 1.0) + jnp.hypot(size, 2 * c)) / 2) - log_c
    ratio = jnp.where(far, 0.0, b) / jnp.where(far | (c == 0), 1.0, 2 * c)
    return jnp.where(far, jnp.sign(b) * distant, jnp.arcsinh(ratio))


def scaled_entropy(b: Float[Array, "..."], log_c) -> Float[Array, "..."]:
    r"""$c\,q(b/c)$ from $b$ and $\log c$: no ratio $b/c$ is ever formed."""
    c = jnp.exp(log_c)
    root = 2 * c + jnp.hypot(b, 2 * c)
    return b * (scaled_arcsinh(b, log_c) - jnp.where(root > 0, b / jnp.where(root > 0, root, 1.0), 0.0))
