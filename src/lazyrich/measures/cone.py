r"""How near parameters are to a KKT point of least norm under margins over every rival, with all constraints at once.

`margin_kkt` solves its least squares to the end and takes the gradients of some hundreds of constraints for that. Here none is
ever formed: a combination of all is one gradient of the outputs with weights, and their products with a vector are one
derivative along it.
"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from ..errors import BadInput
from ..models import outputs
from ..problems import Split
from ..types import Array, Float, Key, Scalar

# Steps of the power iteration that finds the longest step, and what it is shortened by for what they miss.
_POWERS, _SAFETY = 20, 0.9


class Cone(NamedTuple):
    r"""What is missing to a KKT point: all are 0 there, and none depends on the scale of a homogeneous model.

    `stationarity`: $\|\theta - \sum\mu z\|/\|\theta\|$ over gradients $z$ of the margins $q = f_y - f_j$, with multipliers
    $\mu\ge 0$; `slackness`: $\sum\mu(q - q_{\min})/\sum\mu q$, 1 while some margin is not positive; `least`: that margin
    over $\|\theta\|^2$. Multipliers are those of least squares of both together, after so many steps: an upper bound.
    """

    stationarity: Scalar
    slackness: Scalar
    least: Scalar


def rival_cone(model, data: Split, *, steps: int = 200, around: int = 1, radius: float = 0.01, key: Key | None = None) -> Cone:
    r"""Against $\min\frac12\|\theta\|^2$ with $f_y - f_j\ge 1$ for every rival $j$ of every sample, by accelerated projection.

    A net with kinks comes to rest on them, where one gradient says little: with `around` above 1, gradients at as many points
    count, the others `radius` times $\|\theta\|$ away in random directions of `key`. Multipliers begin at zero, where
    stationarity is 1.    Source: lyu2024, theorem 3.5.
    """
    moving, fixed = eqx.partition(model, eqx.is_inexact_array)
    theta, unravel = ravel_pytree(moving)
    # On the sphere of length one, where no margin overflows.
    unit = theta / jnp.linalg.norm(theta)
    points = unit + _shifts(key, around, unit.size) * radius

    def output(flat):
        return outputs(eqx.combine(unravel(flat), fixed), data.x)

    found = output(unit)
    own = jnp.arange(found.shape[1]) == data.y.astype(int)[:, None]
    q = _leads(found, own)
    least = jnp.min(jnp.where(own, jnp.inf, q))
    price = jnp.where(own, 0.0, q - least)

    def combined(mu: Float[Array, "m n k"]) -> Float[Array, " p"]:
        def one(pair):
            rivals = jnp.where(own, 0.0, pair[1])
            mixed = jnp.where(own, jnp.sum(rivals, axis=1, keepdims=True), -rivals)
            return jax.vjp(output, pair[0])[1](mixed)[0]

        return jnp.sum(jax.lax.map(one, (points, mu)), axis=0)

    def along(flat):
        return jax.lax.map(lambda point: _leads(jax.jvp(output, (point,), (flat,))[1], own), points)

    def normal(mu):
        return along(combined(mu)) + price * jnp.sum(price * mu)

    mu = _projected(normal, along(unit), steps)
    active, loose = jnp.sum(mu * q), jnp.sum(mu * price)
    slack = jnp.where((least > 0) & (active > 0), loose / jnp.where(active > 0, active, 1.0), 1.0)
    return Cone(jnp.linalg.norm(unit - combined(mu)), slack, least)


def _shifts(key: Key | None, around: int, size: int) -> Float[Array, "m p"]:
    """Nothing, and directions of length one."""
    if around == 1:
        return jnp.zeros((1, size))
    if key is None:
        raise BadInput(
            needed="rival_cone draws points around the parameters by a key",
            given=f"around={around} without a key",
            cure="Give key=jr.key(0), or around=1.",
        )
    drawn = jr.normal(key, (around - 1, size))
    return jnp.concatenate([jnp.zeros((1, size)), drawn / jnp.linalg.norm(drawn, axis=1, keepdims=True)])


def _leads(output: Float[Array, "n k"], own) -> Float[Array, "n k"]:
    """What the right output leads each rival by; zero over itself."""
    return jnp.where(own, 0.0, jnp.sum(jnp.where(own, output, 0.0), axis=1, keepdims=True) - output)


def _projected(normal, objective: Float[Array, "m n k"], steps: int) -> Float[Array, "m n k"]:
    r"""The $\mu\ge 0$ of least squares with these normal equations, by accelerated steps that begin anew where they turn back."""
    longest = _SAFETY / _top(normal, objective)

    def step(carry, _):
        mu, point, pace = carry
        further = jnp.maximum(point - longest * (normal(point) - objective), 0.0)
        turned = jnp.sum((point - further) * (further - mu)) > 0
        next_pace = jnp.where(turned, 1.0, (1 + jnp.sqrt(1 + 4 * pace**2)) / 2)
        ahead = jnp.where(turned, 0.0, (pace - 1) / next_pace)
        return (further, further + ahead * (further - mu), next_pace), None

    nothing = jnp.zeros_like(objective)
    return jax.lax.scan(step, (nothing, nothing, jnp.ones(())), length=steps)[0][0]


def _top(normal, init) -> Scalar:
    """The largest eigenvalue of a positive map, from below."""

    def again(vector, _):
        moved = normal(vector)
        length = jnp.linalg.norm(moved)
        return moved / jnp.where(length > 0, length, 1.0), length

    return jax.lax.scan(again, init / jnp.linalg.norm(init), length=_POWERS)[1][-1]
