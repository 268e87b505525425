"""How fast a two-layer linear net fits at this moment, beside the bounds that its layers give."""

from typing import NamedTuple

import jax.numpy as jnp

from ..models import LinearNet
from ..numerics.imbalance import Imbalance, eigenvalues, place
from ..types import Array, Float, Scalar


class Pace(NamedTuple):
    r"""The excess $L = \tfrac12\|E\|_F^2$ of the loss, its rate $-\dot L/L$, and three bounds below on that rate.

    `lemma_7` knows both layers, `proposition_1` their imbalance and their product, `guaranteed` the imbalance and the
    margin $[\sigma(\tilde Y) - \|E\|_F]_+$: along a flow it never falls, so it bounds all later rates. `asymptotic` is
    its limit, where the error is gone. `top` is $s_1^2(\lambda_1(U_1U_1^\top) + \lambda_1(VV^\top))$: at a fit no mode is
    faster than twice that. Source: min2021, lemma 7, proposition 1, theorem 3 and equation 22.
    """

    excess: Scalar
    rate: Scalar
    lemma_7: Scalar
    proposition_1: Scalar
    guaranteed: Scalar
    asymptotic: Scalar
    margin: Scalar
    top: Scalar


def pace(scale: Float[Array, " r"], target: Float[Array, "r k"], net: LinearNet, imbalance: Imbalance | None = None) -> Pace:
    r"""The pace of $\dot V = E^\top SU_1$, $\dot U_1 = SEV$ with $E = \tilde Y - SU_1V^\top$.

    $S$ is the `scale`, in decreasing order. The imbalance, unless it is handed, is that of the net itself. The rate is
    computed from the layers, never by differences of the loss; at a fit it is not a number.
    """
    (rows, outputs), ends = target.shape, imbalance
    if ends is None:
        ends = Imbalance.of(eigenvalues(net.u, net.v), rows=rows, others=outputs)
    error = target - scale[:, None] * (net.u @ net.v.T)
    size = jnp.sqrt(jnp.sum(error**2))
    pull = jnp.sum(((scale[:, None] * error) @ net.v) ** 2) + jnp.sum((error.T @ (scale[:, None] * net.u)) ** 2)
    least, most = scale[-1] ** 2, scale[0]
    product, aim = (jnp.linalg.svd(part, compute_uv=False) for part in (net.u @ net.v.T, target))

    def bound(values):
        return least * ends.rate_at_least(place(values, outputs), place(values, rows))

    squares = [jnp.linalg.svd(part, compute_uv=False) ** 2 for part in (net.u, net.v)]
    bottoms = [place(part, rank) for part, rank in zip(squares, (rows, outputs), strict=True)]
    margin = jnp.maximum(aim - size, 0.0)
    return Pace(
        excess=size**2 / 2,
        rate=2 * pull / size**2,
        lemma_7=2 * least * (bottoms[0] + bottoms[1]),
        proposition_1=bound(product),
        guaranteed=bound(margin / most),
        asymptotic=bound(aim / most),
        margin=margin[-1],
        top=most**2 * (squares[0][0] + squares[1][0]),
    )
