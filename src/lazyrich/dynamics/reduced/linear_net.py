"""The flow of a two-layer linear net at a width that does not exceed what its layers span."""

from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp

from ...errors import BadInput
from ...models import LinearNet
from ...objective import Objective
from ...problems import Split
from ...types import Array, Float, Scalar
from ..forms import AbstractForm, PlainForm


class LinearNetForm(AbstractForm):
    r"""At most $p^2$ numbers, $p = k + \min(n, d)$, that determine a two-layer linear net of any width under its flow.

    With $X^\top = \Phi R$ the inputs see only $U_1 = \Phi^\top U$. Whatever the loss, the flow moves the stacked layers
    by multiplication from the left, $\frac{d}{dt}[V; U_1] = A\,[V; U_1] - \lambda [V; U_1]$ with a symmetric $A$ that
    depends on $U_1V^\top$ alone, and leaves the unseen part to weight decay, $U_2(t) = e^{-\lambda t}U_2(0)$. So with
    $[V; U_1; U_2](0) = LQ$, $QQ^\top = I$ and $L$ block triangular, the same flow from the first block $L_{11}$, of
    $p$ rows and at most $p$ columns, is the flow of the net. Entries of a matrix see all of $U$: then $p = k + d$.

    The models read are nets of width $\min(h, d + k)$, the initialization turned in its hidden layer: the map, the outputs, the
    norms, the Gram matrix of all rows of $U$ and $V$ and the spectrum of the imbalance $U^\top U - V^\top V$ (its zeros
    apart) are those of the whole net; single weights are not. To differentiate through the flow, use reduce=None.

    Layers are followed and not their Gram matrix, which would halve the digits of what is small in them.
    Certificate: the imbalance of the moving part is $e^{-2\lambda t}$ times what it was.
    Assumes: every penalty L2. Any loss.
    Source: min2021, section 3, equations 7 and 16.
    """

    stiff: ClassVar[bool] = False

    moving: PlainForm
    frame: Float[Array, "d r"] | None
    unseen: Float[Array, "d w"]
    how: str = eqx.field(static=True)

    @classmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""
        if not isinstance(init, LinearNet):
            return f"the model is {type(init).__name__}, not a LinearNet"
        if objective.weight_decay is None:
            return "a penalty is not L2"
        if init.width <= sum(init.effective().shape) and not _blind(objective, init):
            return f"the width is {init.width}, not above d + k, and the data see every input"
        return None

    @classmethod
    def of(cls, objective: Objective, init: LinearNet) -> "LinearNetForm":
        """The reduction of this flow."""
        net, seen_objective, frame, data = _compressed(init), objective, None, objective.data
        if isinstance(data, Split) and _blind(objective, init):
            frame = jnp.linalg.qr(data.x.T)[0]
            seen_objective = eqx.tree_at(lambda whole: whole.data.x, objective, data.x @ frame)
        seen, unseen = _parted(net, frame)
        how = f"exact reduction of a two-layer linear net of width {init.width} to {seen.u.size + seen.v.size} numbers"
        if net.width < init.width:
            how += f", width compressed to {net.width}"
        return cls(moving=PlainForm(objective=seen_objective, init=seen), frame=frame, unseen=unseen, how=how)

    def state(self) -> LinearNet:
        """The moving part of the layers."""
        return self.moving.state()

    def clock(self, times):
        """Time."""
        return times

    def time(self, clock):
        """Time."""
        return clock

    def field(self, clock, state, args):
        """Minus the gradient, at the smaller width and in the inputs that are seen."""
        return self.moving.field(clock, state, args)

    def model(self, clock, state) -> LinearNet:
        """The net at the compressed width, its unseen part in place."""
        still = [(0, 0), (0, self.unseen.shape[1] - state.width)]
        u = state.u if self.frame is None else self.frame @ state.u
        return LinearNet(jnp.pad(u, still) + jnp.exp(-self._weight_decay * clock) * self.unseen, jnp.pad(state.v, still))

    def amplification(self, clock, state):
        """One: the state is a part of the model."""
        return jnp.ones(())

    def certificates(self, clock, state) -> dict[str, Scalar]:
        r"""$\|D(t) - e^{-2\lambda t}D(0)\|_F / \|[V; U_1](t)\|_F^2$ for the imbalance $D$ of the moving part.

        Equal to the defect of $\Psi^\top J\Psi = J$ for the fundamental matrix in $[V; U_1](t) = e^{-\lambda t}\Psi(t)
        [V; U_1](0)$, seen from the initialization. It needs no knowledge of the flow, and is measured in squares of weights,
        so it also serves initializations that are balanced.
        Source: min2021, equation 16.
        """
        drift = _imbalance(state) - jnp.exp(-2 * self._weight_decay * clock) * _imbalance(self.moving.init)
        return {"imbalance_drift": jnp.linalg.norm(drift) / (jnp.sum(state.u**2) + jnp.sum(state.v**2))}

    def fundamental(self, clock, state) -> Float[Array, "p p"]:
        r"""$\Psi(t)$ in $[V; U_1](t) = e^{-\lambda t}\,\Psi(t)\,[V; U_1](0)$, the same for every unseen part.

        $\Psi^\top J\Psi = J$ with $J = \mathrm{diag}(-I, I)$, and $\det\Psi = 1$. The products of the moving part with
        any unseen one move by it: $[V; U_1]U_2^\top(t) = e^{-2\lambda t}\,\Psi(t)\,[V; U_1]U_2^\top(0)$.
        Assumes: at initialization the rows of the moving part are independent; its condition multiplies rounding errors.
        Source: min2021, equation 32.
        """
        first, now = _rows(self.moving.init), _rows(state)
        if first.shape[0] != first.shape[1]:
            raise BadInput(
                needed=f"the fundamental matrix needs a width of at least {first.shape[0]}, the rows that move",
                given=f"width {first.shape[1]}",
                cure="Widen the net, or read the models themselves.",
            )
        return jnp.exp(self._weight_decay * clock) * jnp.linalg.solve(first.T, now.T).T

    @property
    def _weight_decay(self) -> Scalar:
        weight_decay = self.moving.objective.weight_decay
        assert weight_decay is not None  # why_not has refused the rest
        return weight_decay


def _blind(objective: Objective, init: LinearNet) -> bool:
    """Whether some inputs are seen by no sample."""
    return isinstance(objective.data, Split) and objective.data.n < init.u.shape[0]


def _compressed(net: LinearNet) -> LinearNet:
    """A net with the same Gram matrix whose width is at most the number of rows of both layers."""
    rows = _rows(net)
    if rows.shape[1] <= rows.shape[0]:
        return net
    return _split(jnp.linalg.qr(rows.T, mode="r").T, net)


def _parted(net: LinearNet, frame: Float[Array, "d r"] | None) -> tuple[LinearNet, Float[Array, "d w"]]:
    """The net in the inputs that are seen, at the width it needs there, and what is left of its first layer."""
    if frame is None:
        return net, jnp.zeros_like(net.u)
    seen = LinearNet(u=frame.T @ net.u, v=net.v)
    left = net.u - frame @ seen.u
    rows = _rows(seen)
    if rows.shape[1] <= rows.shape[0]:
        return seen, left
    turn, factor = jnp.linalg.qr(rows.T, mode="complete")
    return _split(factor[: rows.shape[0]].T, net), left @ turn


def _imbalance(net: LinearNet) -> Float[Array, "h h"]:
    return net.u.T @ net.u - net.v.T @ net.v


def _rows(net: LinearNet) -> Float[Array, "p h"]:
    return jnp.concatenate([net.v, net.u])


def _split(rows: Float[Array, "p h"], like: LinearNet) -> LinearNet:
    outputs = like.v.shape[0]
    return LinearNet(u=rows[outputs:], v=rows[:outputs])
