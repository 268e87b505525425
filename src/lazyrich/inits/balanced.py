"""Two-layer linear nets with a given map and a given imbalance of their layers."""

from typing import Any

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ..errors import BadInput
from ..models import LinearNet
from ..numerics.row_space import row_space
from ..numerics.values import concrete
from ..types import Array, Float, Key


def balanced(
    key: Key, effective: Float[Array, "d k"], *, width: int, imbalance: Any = 0.0, x: Float[Array, "n d"] | None = None
) -> LinearNet:
    r"""$UV^\top = \Theta$ and $U^\top U - V^\top V = \lambda QQ^\top$, $Q$ with $\min(d, k)$ orthonormal columns.

    With $\Theta = A\,\mathrm{diag}(w)B^\top$: $U = A\,\mathrm{diag}(u)Q^\top$, $V = B\,\mathrm{diag}(v)Q^\top$, $u v = w$ and
    $u^2 - v^2 = \lambda$, the `imbalance`; at width $\min(d, k)$ the imbalance is $\lambda I$ (homogeneous), at
    $\lambda = 0$ the net is balanced. With inputs `x` the part of $U$ that they see is imbalanced so, not all of it.
    The key turns the hidden layer.
    Assumes: with `x` and no imbalance, every direction of the outputs is seen.
    Source: min2021, section 3.
    """
    count = min(effective.shape)
    if width < count:
        raise BadInput(
            needed=f"balanced() needs a hidden unit for each of the {count} singular values",
            given=f"width {width}",
            cure=f"Give width={count} or more.",
        )
    seen = effective
    if x is not None:
        inputs = row_space(x)
        seen = inputs.T @ (inputs @ effective)
    left, values, right = jnp.linalg.svd(seen, full_matrices=False)
    root = jnp.sqrt(imbalance**2 + 4 * values**2)
    # The larger of u^2 and v^2 without cancellation, the smaller from the product.
    large = jnp.sqrt((jnp.abs(imbalance) + root) / 2)
    small = values / jnp.where(large > 0, large, 1.0)
    u, v = jnp.where(imbalance >= 0, large, small), jnp.where(imbalance >= 0, small, large)
    unseen = (effective - seen) @ right.T
    _require_seen(unseen, v)
    turn = jnp.linalg.qr(jr.normal(key, (width, count)))[0]
    rest = unseen / jnp.where(v > 0, v, 1.0)
    return LinearNet(u=(left * u + rest) @ turn.T, v=(right.T * v) @ turn.T)


def _require_seen(unseen, v) -> None:
    """Refuse a map with a part that the inputs do not see where the second layer is zero."""
    left, small = concrete(unseen), concrete(v)
    if left is None or small is None:
        return
    if np.any((small <= 1e-7 * small.max()) & (np.linalg.norm(left, axis=0) > 1e-12)):
        raise BadInput(
            needed="balanced() with inputs needs a map they see in every direction of the outputs",
            given=f"second-layer singular values {small.tolist()}",
            cure="Leave x out, or give a map whose seen part has full rank.",
        )
