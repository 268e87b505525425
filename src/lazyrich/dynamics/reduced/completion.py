"""The flow of a symmetric net from a multiple of the identity, as a flow of the matrix alone."""

from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ...models import SymmetricMap, SymmetricNet
from ...numerics.symmetric import from_upper, hyperbolic_excess, upper
from ...numerics.values import concrete
from ...objective import Objective
from ...problems import Entries
from ...types import Array, Float, Scalar
from ..forms import AbstractForm

# How far U^T V may be from a multiple of the identity, relative to it: well below the 1e-8 that flows promise.
_DEFECT = 1e-10


class CompletionForm(AbstractForm):
    r"""$d(d+1)/2$ numbers that determine the $2d^2$ parameters of $W = UU^\top - VV^\top$ under its flow with weight decay.

    With the slopes $\sigma_i = \text{weight}\cdot\ell'(W_{r_ic_i}, y_i)$ and $G = -\sum_i\sigma_i(E_{r_ic_i} + E_{c_ir_i})$,
    $U' = (G - \lambda)U$ and $V' = (-G - \lambda)V$. So $U^\top V = \kappa I$, $\kappa = \kappa_0e^{-2\lambda t}$, and
    $W' = -2\lambda W + GS + SG$ with $S = UU^\top + VV^\top = \sqrt{W^2 + 4\kappa^2 I}$, for any loss.

    $S = 2\kappa I + R$, and $GS + SG = 4\kappa G + GR + RG$: entries never observed move by $R$ alone, which keeps its
    digits when $\kappa$ is large. Beside $W$ runs $\nu' = 2\langle G, W\rangle - 2\lambda\nu$, which equals
    $\|U\|^2 + \|V\|^2 - 2d\kappa = \mathrm{tr}\,R$: how far they drift apart tells how well the flow was followed.
    Entries known twice, or with their transposes, add up.
    Assumes: entries of a square matrix, every penalty L2, $U$ and $V$ square with $U^\top V = \kappa_0 I$, $\kappa_0 > 0$.
    Source: lyu2024, corollary 3.11.
    """

    objective: Objective[Entries]
    w: Float[Array, "d d"]
    kappa: Scalar
    how: str = eqx.field(static=True)
    stiff: ClassVar[bool] = True

    @classmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""
        if not isinstance(init, SymmetricNet | SymmetricMap):
            return f"the model is {type(init).__name__}, not a SymmetricNet"
        if not isinstance(objective.data, Entries):
            return "the data are not entries of a matrix"
        d = (init.u if isinstance(init, SymmetricNet) else init.w).shape[0]
        if objective.data.shape != (d, d):
            return f"the entries are of a matrix of shape {objective.data.shape}, the model's is {(d, d)}"
        if objective.weight_decay is None:
            return "a penalty is not L2"
        if isinstance(init, SymmetricMap):
            kappa = concrete(init.kappa)
            return None if kappa is None or kappa > 0 else "kappa is not positive"
        return _why_not_conserved(init)

    @classmethod
    def of(cls, objective: Objective, init: Any) -> "CompletionForm":
        """The reduction of this flow."""
        kappa = init.kappa if isinstance(init, SymmetricMap) else jnp.sum(init.u * init.v) / init.u.shape[0]
        w = init.effective()
        d = w.shape[0]
        how = f"exact reduction of a symmetric net to {d * (d + 1) // 2} entries of its matrix"
        return cls(objective=objective, w=w, kappa=kappa, how=how)

    def state(self) -> Float[Array, " p"]:
        r"""The upper half of $W$, and $\nu$."""
        return jnp.append(upper(self.w), jnp.trace(hyperbolic_excess(self.w, self.kappa)))

    def clock(self, times):
        """Time."""
        return times

    def time(self, clock):
        """Time."""
        return clock

    def model(self, clock, state) -> SymmetricMap:
        r"""$W$ and $\kappa$."""
        return SymmetricMap(from_upper(state[:-1], self.w.shape[0]), self.kappa * jnp.exp(-2 * self._weight_decay * clock))

    def amplification(self, clock, state):
        """One: the state is the matrix."""
        return jnp.ones(())

    def certificates(self, clock, state) -> dict[str, Scalar]:
        r"""The relative gap between $\|U\|^2 + \|V\|^2$ as it was integrated and $\mathrm{tr}\,S$ as $W$ tells it."""
        net, nu = self.model(clock, state), state[-1]
        expected = jnp.trace(hyperbolic_excess(net.w, net.kappa))
        return {"conservation": jnp.abs(nu - expected) / (2 * self.w.shape[0] * net.kappa + expected)}

    def field(self, clock, state, args):
        r"""$(W', \nu')$."""
        net, nu = self.model(clock, state), state[-1]
        force = self._force(net.w)
        turn = force @ hyperbolic_excess(net.w, net.kappa)
        moved = -2 * self._weight_decay * net.w + 4 * net.kappa * force + turn + turn.T
        return jnp.append(upper(moved), 2 * jnp.sum(force * net.w) - 2 * self._weight_decay * nu)

    def _force(self, w: Float[Array, "d d"]) -> Float[Array, "d d"]:
        r"""$G$."""
        data = self.objective.data
        slopes = self.objective.loss.scaled_slope(w[data.rows, data.cols], data.y, jnp.log(self.objective.weight))
        half = jnp.zeros_like(w).at[data.rows, data.cols].add(-slopes)
        return half + half.T

    @property
    def _weight_decay(self) -> Scalar:
        weight_decay = self.objective.weight_decay
        assert weight_decay is not None  # why_not has refused the rest
        return weight_decay


def _why_not_conserved(init: SymmetricNet) -> str | None:
    """What keeps U^T V from being a positive multiple of the identity, or None."""
    d, r = init.u.shape
    if d != r:
        return f"U and V are of shape {(d, r)}, not square"
    u, v = concrete(init.u), concrete(init.v)
    if u is None or v is None:
        return "U and V are traced, so that U^T V = kappa I cannot be seen (a SymmetricMap has it by itself)"
    product = u.T @ v
    kappa = np.trace(product) / d
    if not kappa > 0:
        return f"U^T V has the mean diagonal {kappa:.3g}, not a positive one"
    defect = np.abs(product - kappa * np.eye(d)).max() / kappa
    return None if defect <= _DEFECT else f"U^T V is not a multiple of the identity (off by {defect:.1e} of it)"
