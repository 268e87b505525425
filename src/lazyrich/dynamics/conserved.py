"""What a gradient flow conserves, whatever the data: the certificate of flows that are followed weight by weight."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ..models import DiagonalNet, Linear, LinearNet, PairNet, ProductNet, SymmetricNet, WideParallel, parameters
from ..numerics.row_space import row_space
from ..objective import Objective
from ..problems import Split
from ..types import Array, Float, Scalar

# Quadratic functions of the weights that the gradient flow of no loss changes: a unit's weights before and behind it
# move by equal products. Weight decay multiplies them by exp(-2 weight_decay t).
_QUADRATIC: dict[type, Callable[[Any], Float[Array, "..."]]] = {
    ProductNet: lambda net: net.u**2 - net.v**2,
    WideParallel: lambda net: net.u**2 - net.v**2,
    LinearNet: lambda net: jnp.sum(net.u**2, axis=0) - jnp.sum(net.v**2, axis=0),
    SymmetricNet: lambda net: net.u.T @ net.v,
    PairNet: lambda net: jnp.sum(net.first**2 + net.second**2, axis=0) + net.bias**2 - jnp.sum(net.out**2, axis=1),
}


def drift(objective: Objective, init: Any, end: Any, time: Scalar) -> dict[str, Scalar]:
    r"""How far a model at a time is from what the gradient flow from this initialization can reach, relative.

    `conservation` is $\|D(t) - e^{-2\lambda t}D(0)\|/\|\theta\|^2$ for quadratic functions $D$ of the weights that no data
    can change and a weight decay $\lambda$ shrinks. `dual_residual` is the share, outside the span of the inputs, of a
    coordinate of the weights that data push along the inputs alone: the dual variable exists where it is 0.
    Nothing is said of models for which neither is known, or where a penalty is not L2.
    """
    weight_decay = objective.weight_decay
    if weight_decay is None:
        return {}
    found = {}
    if type(init) in _QUADRATIC:
        quantity = _QUADRATIC[type(init)]
        off = quantity(end) - jnp.exp(-2 * weight_decay * time) * quantity(init)
        size = sum((jnp.sum(part**2) for part in jax.tree.leaves(parameters(end))), start=jnp.zeros(()))
        found["conservation"] = _share(jnp.linalg.norm(off), size)
    if isinstance(objective.data, Split) and isinstance(init, DiagonalNet | Linear):
        pushed = _pushed(init, end, weight_decay * time)
        rows = row_space(objective.data.x)
        found["dual_residual"] = _share(jnp.linalg.norm(pushed - (pushed @ rows.T) @ rows), jnp.linalg.norm(pushed))
    return found


def _pushed(init: DiagonalNet | Linear, end: Any, shrunk: Scalar) -> Float[Array, " d"]:
    r"""A coordinate that moves along $X^\top r$ alone: $w$, or $\log(u/v)$, or $v^{2-D} - u^{2-D}$, as weight decay lets it.

    From $\dot u = -DX^\top r\,u^{D-1} - \lambda u$ and the same for $v$ with the other sign.
    """
    if isinstance(init, Linear):
        return end.w - jnp.exp(-shrunk) * init.w
    power = 2 - init.depth
    if power == 0:
        return jnp.log(jnp.abs(end.u / end.v)) - jnp.log(jnp.abs(init.u / init.v))
    before, after = (net.v**power - net.u**power for net in (init, end))
    return after - jnp.exp(-power * shrunk) * before


def _share(part: Scalar, whole: Scalar) -> Scalar:
    return jnp.where(whole > 0, part / jnp.where(whole > 0, whole, 1.0), 0.0)
