"""Signals of the world with few coefficients: a digit, a sum of waves, a polynomial."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ..errors import BadInput
from ..types import Array, Float, Key
from .base import Problem, Split, require_count


def digit_zero() -> Float[Array, " 64"]:
    """An 8 x 8 zero, the first digit of scikit-learn, from 0 to 1 with all below a half left out: 22 of 64 pixels.

    Source: beyond_l2, appendix C.12.1.
    """
    from sklearn.datasets import load_digits

    image = np.asarray(load_digits(return_X_y=True)[0])[0] / 16
    return jnp.asarray(np.where(image < 0.5, 0.0, image))


WAVES = ((10, 1.0, 0.0), (25, 0.8, np.pi / 4), (40, 1.2, 3 * np.pi / 8), (75, 1.5, 3 * np.pi / 4), (95, 0.5, np.pi))


def waves(d: int = 100) -> Float[Array, " d"]:
    r"""$a(t) = \sum_k A_k\cos(2\pi kt/d + \varphi_k)$ for the five frequencies of beyond_l2, appendix C.12.2.

    At $d = 100$ samples frequencies 75 and 95 are 25 and 5: the signal has six real coefficients, not five.
    """
    require_count("d", d)
    t = jnp.arange(d)
    return sum((size * jnp.cos(2 * jnp.pi * k * t / d + phase) for k, size, phase in WAVES), jnp.zeros(d))


def fourier(d: int) -> Float[Array, "d d"]:
    """The real Fourier basis in orthonormal columns: the constant, cosines and sines in pairs, the alternating column last."""
    require_count("d", d)
    t = np.arange(d)
    columns = [np.full(d, np.sqrt(1 / d))]
    for k in range(1, (d - 1) // 2 + 1):
        angle = 2 * np.pi * k * t / d
        columns += [np.sqrt(2 / d) * np.cos(angle), np.sqrt(2 / d) * np.sin(angle)]
    if d % 2 == 0:
        columns.append(np.sqrt(1 / d) * (-1.0) ** t)
    return jnp.asarray(np.stack(columns, axis=1))


def polynomial(key: Key, *, n: int, variables: int, sparsity: int, centered: bool = False) -> Problem[Split]:
    r"""$n$ values of a quadratic polynomial of which `sparsity` coefficients are not zero, at $x\sim N(0, I)$.

    Inputs are the $d = m(m+3)/2$ monomials $x_ix_j$, $i\le j$, and $x_i$ over $\sqrt d$; `centered` takes one from the squares,
    which makes the columns orthogonal on average. Source: beyond_l2, appendix C.12.3.
    """
    require_count("n", n)
    require_count("variables", variables)
    require_count("sparsity", sparsity)
    first, second = np.triu_indices(variables)
    d = first.size + variables
    if sparsity > d:
        raise BadInput(
            needed=f"a polynomial in {variables} variables has {d} coefficients",
            given=f"sparsity={sparsity}",
            cure="Lower the sparsity or raise the number of variables.",
        )
    places, values, points = jr.split(key, 3)
    support = jr.permutation(places, jnp.arange(d)) < sparsity
    truth = jnp.where(support, jr.normal(values, (d,)), 0.0)
    x = jr.normal(points, (n, variables))
    products = x[:, first] * x[:, second] - (jnp.asarray(first == second) if centered else 0.0)
    inputs = jnp.concatenate([products, x], axis=1) / jnp.sqrt(1.0 * d)
    return Problem(Split(inputs, inputs @ truth), None, truth, None)
