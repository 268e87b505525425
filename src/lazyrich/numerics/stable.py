"""Functions of one number written so that they neither overflow nor cancel."""

from functools import partial

import jax
import jax.numpy as jnp

from ..types import Array, Float


def scaled_sinh(z: Float[Array, "..."], log_scale) -> Float[Array, "..."]:
    r"""$2 e^{s}\sinh z$ from $z$ and $s$.

    For $|z| > 1$ the scale joins the exponent before anything is exponentiated, so a huge $z$ and a tiny
    scale (or the reverse) meet as an ordinary number; for small $z$ nothing is subtracted.
    """
    size = jnp.abs(z)
    far = jnp.sign(z) * (jnp.exp(size + log_scale) - jnp.exp(-size + log_scale))
    near = 2 * jnp.exp(log_scale) * jnp.sinh(jnp.where(size > 1, 0.0, z))
    return jnp.where(size > 1, far, near)


def scaled_sinh_slope(x: Float[Array, "..."], y: Float[Array, "..."], log_scale) -> Float[Array, "..."]:
    r"""$2e^{s}(\sinh x - \sinh y)/(x - y)$ from $x$, $y$ and $s$; $2e^{s}\cosh x$ where they meet.

    Near each other it is $2e^{s}\cosh\frac{x+y}2$ times $\sinh(h)/h$ with $h = \frac{x-y}2$, far apart the quotient itself.
    """
    apart, middle = x - y, jnp.abs(x + y) / 2
    far = jnp.abs(apart) > 1
    half = jnp.where(far, 0.0, apart / 2)
    stretch = jnp.where(half == 0, 1.0, jnp.sinh(half) / jnp.where(half == 0, 1.0, half))
    near = (jnp.exp(middle + log_scale) + jnp.exp(-middle + log_scale)) * stretch
    return jnp.where(far, (scaled_sinh(x, log_scale) - scaled_sinh(y, log_scale)) / jnp.where(far, apart, 1.0), near)


def log_expm1(z: Float[Array, "..."]) -> Float[Array, "..."]:
    r"""$\log(e^z - 1)$ for $z > 0$, without overflow for large $z$; $-\infty$ at 0."""
    return z + jnp.log(-jnp.expm1(-z))


def log_log1p_exp(z: Float[Array, "..."]) -> Float[Array, "..."]:
    r"""$\log\log(1 + e^{z})$; below $-30$ it equals $z$ to $10^{-13}$ and is taken as that."""
    safe = jnp.maximum(z, -30.0)
    return jnp.where(z > -30.0, jnp.log(jnp.logaddexp(safe, 0.0)), z)


def scaled_to_one(a: Float[Array, " d"]) -> Float[Array, " d"]:
    """The vector with its largest entry at one in size, so that norms neither over- nor underflow; zeros stay zeros."""
    top = jnp.max(jnp.abs(a))
    return a / jnp.where(top == 0, 1.0, top)


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def difference_of_powers(u: Float[Array, " d"], v: Float[Array, " d"], power: int) -> Float[Array, " d"]:
    r"""$u^D - v^D = (u - v)\sum_k u^{D-1-k}v^k$: zero for equal $u$ and $v$, and nothing cancels but $u - v$.

    Its derivative is $D u^{D-1}$ and $-D v^{D-1}$ exactly: that of the product would lose the smaller one.
    """
    total = jnp.ones_like(u)
    for k in range(1, power):
        total = total * u + v**k
    return (u - v) * total


@difference_of_powers.defjvp
def _difference_of_powers_jvp(power, at, along):
    (u, v), (du, dv) = at, along
    slope = power * (u ** (power - 1) * du - v ** (power - 1) * dv)
    return difference_of_powers(u, v, power), slope
