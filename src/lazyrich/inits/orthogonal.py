"""The part of a first layer that no input sees, made orthogonal to all that moves."""

import jax.numpy as jnp

from ..models import LinearNet
from ..numerics.row_space import row_space
from ..types import Array, Float


def orthogonal(net: LinearNet, x: Float[Array, "n d"]) -> LinearNet:
    r"""$U_2(I - P)$ in place of $U_2$, with $P$ the projector onto the rows of $V$ and $U_1$: $VU_2^\top = 0$, $U_1U_2^\top = 0$.

    $U_1$ is the part of $U$ in the span of the inputs, $U_2$ the rest. Gradient flow keeps both products zero, so it ends
    at the interpolator of least norm. Of $U_2$ nothing is left unless the width exceeds $k$ plus the rank of $x$.
    Source: min2021, proposition 10.
    """
    inputs = row_space(x)
    seen = inputs.T @ (inputs @ net.u)
    moving = row_space(jnp.concatenate([net.v, inputs @ net.u]))
    left = net.u - seen
    return LinearNet(u=seen + left - (left @ moving.T) @ moving, v=net.v)
