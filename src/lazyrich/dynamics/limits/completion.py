"""The slow motion of a symmetric matrix whose known entries are held."""

from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
import jax.scipy.linalg as jsl

from ...models import SymmetricMap
from ...numerics.symmetric import from_upper, hyperbolic_excess, upper
from ...objective import Objective
from ...problems import Entries
from ...types import Array, Bool, Float, Int, Scalar
from ..forms import AbstractForm
from ..reduced.completion import CompletionForm


class CompletionManifold(AbstractForm):
    r"""$dW/d\tau = -2W + \Gamma S + S\Gamma$ with $\Gamma = \sum_m\gamma_mP_m$ such that $[\Gamma S + S\Gamma]_m = 2y_m$.

    $m$ runs over the distinct unordered pairs $\{i, j\}$ that are known, $P_m$ is the symmetric matrix that reads the
    entry $W_m = \langle P_m, W\rangle$, $S = \sqrt{W^2 + 4\kappa^2I}$ and $\kappa = \kappa_0e^{-2\tau}$. A pair known
    several times counts once, at the mean of its targets. Errors of $W_m$ decay like $e^{-2\tau}$ by themselves.
    Source: lyu2024, corollary 3.11.
    """

    objective: Objective[Entries]
    w: Float[Array, "d d"]
    kappa: Scalar
    how: str = eqx.field(static=True)
    stiff: ClassVar[bool] = False

    @classmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""
        return CompletionForm.why_not(objective, init)

    @classmethod
    def slowest_rate(cls, objective: Objective, init: Any) -> Scalar:
        r"""At least how fast residuals fade without weight decay: $8\kappa c$, $c$ the weight, as $S\succeq 2\kappa I$."""
        return 8 * objective.weight * CompletionForm.of(objective, init).kappa

    @classmethod
    def of(cls, objective: Objective[Entries], settled: SymmetricMap, ok: Bool[Array, ""]) -> "CompletionManifold":
        """The motion from where the flow without weight decay has settled."""
        how = f"slow manifold of {objective.data.n} known entries, in slow time"
        return cls(objective=objective, w=jnp.where(ok, settled.w, jnp.nan), kappa=settled.kappa, how=how)

    def state(self) -> Float[Array, " p"]:
        r"""The upper half of $W$."""
        return upper(self.w)

    def clock(self, times):
        r"""Slow time $\tau$."""
        return times

    def time(self, clock):
        r"""Slow time $\tau$."""
        return clock

    def model(self, clock, state) -> SymmetricMap:
        r"""$W$ and $\kappa$."""
        return SymmetricMap(from_upper(state, self.w.shape[0]), self.kappa * jnp.exp(-2 * clock))

    def amplification(self, clock, state):
        """One: the state is the matrix."""
        return jnp.ones(())

    def field(self, clock, state, args):
        r"""$dW/d\tau$."""
        net = self.model(clock, state)
        excess = hyperbolic_excess(net.w, net.kappa)
        half = jnp.zeros_like(net.w).at[self._data.rows, self._data.cols].add(self._multipliers(net, excess) / 2)
        turn = (half + half.T) @ excess
        return upper(-2 * net.w + 4 * net.kappa * (half + half.T) + turn + turn.T)

    def certificates(self, clock, state) -> dict[str, Scalar]:
        r"""The largest $|W_m - y_m|$, and the largest residual that weight decay would leave.

        That is $\lambda|\gamma_m|/(4c\,c_m)$ for a pair known $c_m$ times.
        """
        end = self.model(clock, state)
        data, (_, count, mean) = self._data, self._pairs()
        weight_decay = self.objective.weight_decay
        assert weight_decay is not None  # SlowManifold has refused the rest
        multipliers = self._multipliers(end, hyperbolic_excess(end.w, end.kappa))
        return {
            "violation": jnp.max(jnp.abs(end.w[data.rows, data.cols] - mean)),
            "residual": jnp.max(jnp.abs(multipliers) / count) * weight_decay / (4 * self.objective.weight),
        }

    def _multipliers(self, net: SymmetricMap, excess: Float[Array, "d d"]) -> Float[Array, " n"]:
        r"""$\gamma$, at the first sample of each pair and zero at the others.

        The system is $K_{ml} = \langle P_m, P_lS + SP_l\rangle$; samples that repeat a pair get the equation $\gamma = 0$.
        """
        first, _, mean = self._pairs()
        i, j = self._data.rows, self._data.cols
        s = excess + 2 * net.kappa * jnp.eye(excess.shape[0])
        same = i[:, None] == i, i[:, None] == j, j[:, None] == j, j[:, None] == i
        reads = s[j[:, None], j], s[j[:, None], i], s[i[:, None], i], s[i[:, None], j]
        system = sum(jnp.where(equal, entry, 0.0) for equal, entry in zip(same, reads, strict=True)) / 2
        system = jnp.where(first[:, None] & first, system, jnp.eye(i.size))
        return jsl.solve(system, jnp.where(first, 2 * mean, 0.0), assume_a="pos")

    def _pairs(self) -> tuple[Bool[Array, " n"], Int[Array, " n"], Float[Array, " n"]]:
        """For each sample: whether its unordered pair is new, how often the pair is known, and its mean target."""
        data = self._data
        low, high = jnp.minimum(data.rows, data.cols), jnp.maximum(data.rows, data.cols)
        zeros = jnp.zeros(data.shape)
        count = zeros.at[low, high].add(1.0)[low, high]
        earliest = jnp.full(data.shape, data.n).at[low, high].min(jnp.arange(data.n))[low, high]
        return earliest == jnp.arange(data.n), count.astype(int), zeros.at[low, high].add(data.y)[low, high] / count

    @property
    def _data(self) -> Entries:
        return self.objective.data
