"""The flow of products of two factors, of any width, as the flow of a symmetric diagonal net at half the pace."""

from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp

from ...models import LogDiagonalNet, ProductNet, WideParallel
from ...numerics.values import concrete
from ...objective import Objective
from ...regularizers import L2
from ...types import Array, Bool, Float
from ..forms import AbstractForm
from .diagonal import DiagonalForm

# How far, in logarithms, a half that is exactly zero is put below its partner. Squared it is 1e-174 of it.
_BELOW = 200.0


class PairedForm(AbstractForm):
    r"""$n$ numbers that determine $U, V$ of $\sum_j U_{ij}V_{ij}$ under its flow with weight decay, at any width.

    Rows of $U + V$ and of $U - V$ only change their lengths: with $a = \|U + V\|/2$ and $b = \|U - V\|/2$ the map is
    $a^2 - b^2$, and $(a, b)$ follow the flow of a DiagonalNet of depth 2 with twice the weight decay, at half its pace. With its
    exponent $p$ and the decay $e^{-\lambda t}$, $U = e^{-\lambda t}(U_0\cosh\tfrac p2 + V_0\sinh\tfrac p2)$, and $V$ likewise.
    A half that is exactly zero ($u = v$ at initialization) stays so: it is put far below its partner instead, and the
    outcome says when the flow has gone on so long that this would show.
    Assumes: linear in the input, every penalty L2, some weight that is not zero.
    Source: woodworth2020, appendix C and section 6.
    """

    stiff: ClassVar[bool] = True

    inner: DiagonalForm
    init: ProductNet | WideParallel
    silent: Bool[Array, " d"]
    how: str = eqx.field(static=True)

    @classmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""
        if not isinstance(init, ProductNet | WideParallel):
            return f"the model is {type(init).__name__}, not a ProductNet or WideParallel"
        weights = [concrete(part) for part in init.parameters()]
        if all(part is not None and not part.any() for part in weights):
            return "the initialization is zero, and stays there"
        return DiagonalForm.why_not(objective, _positive(init)[0])

    @classmethod
    def of(cls, objective: Objective, init: Any) -> "PairedForm":
        """The reduction of this flow."""
        net, silent = _positive(init)
        weight_decay = objective.weight_decay
        assert weight_decay is not None  # why_not has refused the rest
        slow = Objective(objective.data, objective.loss, reduction=objective.reduction, penalties=[(L2(), 2 * weight_decay)])
        how = f"exact reduction of a {type(init).__name__} to {objective.data.n} numbers"
        return cls(inner=DiagonalForm.of(slow, net), init=init, silent=silent, how=how)

    def state(self):
        """That of the symmetric net."""
        return self.inner.state()

    def clock(self, times):
        """The symmetric net's at half the time."""
        return self.inner.clock(times / 2)

    def time(self, clock):
        """Twice the symmetric net's."""
        return 2 * self.inner.time(clock)

    def field(self, clock, state, args):
        """That of the symmetric net."""
        return self.inner.field(clock, state, args)

    def model(self, clock, state):
        """The factors, from how far the symmetric net has gone."""
        fade, growth = self._gone(clock, state)
        shape = (-1,) + (1,) * (self.init.u.ndim - 1)
        keep, mix = (jnp.exp(fade) * part for part in (jnp.cosh(growth), jnp.sinh(growth)))
        keep, mix = keep.reshape(shape), mix.reshape(shape)
        u, v = self.init.u, self.init.v
        return type(self.init)(u=keep * u + mix * v, v=keep * v + mix * u)

    def amplification(self, clock, state):
        """One, or infinite once a half that should be zero could be seen."""
        growth = self._gone(clock, state)[1]
        return jnp.where(jnp.any(self.silent & (jnp.abs(growth) > _BELOW / 2)), jnp.inf, 1.0)

    def certificates(self, clock, state):
        """Those of the symmetric net."""
        return self.inner.certificates(clock, state)

    def _gone(self, clock, state) -> tuple[Float[Array, " d"], Float[Array, " d"]]:
        net = self.inner.model(clock, state)
        return net.middle - self.inner.middle, net.half - self.inner.half


def _positive(init: ProductNet | WideParallel) -> tuple[LogDiagonalNet, Bool[Array, " d"]]:
    """The symmetric net in logarithms with halves of zero put far below, and which coordinates have one."""
    net = init.symmetric()
    zero_u, zero_v = net.u == 0, net.v == 0
    top = jnp.log(jnp.maximum(jnp.max(net.u), jnp.max(net.v)))
    log_u, log_v = (jnp.log(jnp.where(part == 0, 1.0, part)) for part in (net.u, net.v))
    both = zero_u & zero_v
    log_u = jnp.where(both, top - _BELOW, jnp.where(zero_u, log_v - _BELOW, log_u))
    log_v = jnp.where(both, top - _BELOW, jnp.where(zero_v, log_u - _BELOW, log_v))
    return LogDiagonalNet((log_u + log_v) / 2, (log_u - log_v) / 2, 2), zero_u | zero_v
