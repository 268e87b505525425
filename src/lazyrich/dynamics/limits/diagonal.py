"""The slow motion of a diagonal net of depth 2 whose outputs are held."""

from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np

from ...models import LogDiagonalNet
from ...numerics.entropy import scaled_arcsinh
from ...numerics.values import concrete
from ...objective import Objective
from ...problems import Split
from ...types import Array, Bool, Float, Scalar
from ..forms import AbstractForm
from ..reduced.diagonal import DiagonalForm


class DiagonalManifold(AbstractForm):
    r"""$dw/d\tau = -2w + 4s\odot X^\top\gamma$ with $\gamma$ such that $2X\mathrm{diag}(s)X^\top\gamma = y$.

    $s = \sqrt{w^2 + 4\kappa^2}$ and $\kappa_k = u_k(0)v_k(0)e^{-2\tau}$: from the kernel's interpolant, where $s$ is
    constant, to basis pursuit, where $s = |w|$. Errors of the outputs decay like $e^{-2\tau}$ by themselves.
    Source: lyu2024, section 3.2.3.
    """

    objective: Objective[Split]
    w: Float[Array, " d"]
    log_kappa: Float[Array, " d"]
    how: str = eqx.field(static=True)
    stiff: ClassVar[bool] = False

    @classmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""
        why_not = DiagonalForm.why_not(objective, init)
        if why_not is not None:
            return why_not
        if init.depth != 2:
            return f"the depth is {init.depth}, not 2"
        x = concrete(objective.data.x)
        if x is not None and np.linalg.matrix_rank(x) < x.shape[0]:
            return f"the {x.shape[0]} inputs are not independent, so that not all targets have an interpolant"
        return None

    @classmethod
    def slowest_rate(cls, objective: Objective, init: Any) -> Scalar:
        r"""How fast residuals fade at least without weight decay: $16\,c\,\min_k\kappa_k\,\lambda_{\min}(XX^\top)$."""
        x, form = objective.data.x, DiagonalForm.of(objective, init)
        least = jnp.linalg.svd(x, compute_uv=False)[-1] ** 2
        return 16 * objective.weight * least * jnp.exp(2 * jnp.min(form.middle))

    @classmethod
    def of(cls, objective: Objective[Split], settled: LogDiagonalNet, ok: Bool[Array, ""]) -> "DiagonalManifold":
        """The motion from where the flow without weight decay has settled."""
        how = f"slow manifold of {objective.data.n} held outputs, in slow time"
        w = jnp.where(ok, settled.effective(), jnp.nan)
        return cls(objective=objective, w=w, log_kappa=2 * settled.middle, how=how)

    def state(self) -> Float[Array, " d"]:
        r"""$w$."""
        return self.w

    def clock(self, times):
        r"""Slow time $\tau$."""
        return times

    def time(self, clock):
        r"""Slow time $\tau$."""
        return clock

    def model(self, clock, state) -> LogDiagonalNet:
        r"""$w = 2\kappa\sinh 2h$ with $\kappa = e^{2m}$."""
        log_kappa = self.log_kappa - 2 * clock
        return LogDiagonalNet(log_kappa / 2, scaled_arcsinh(state, log_kappa) / 2, 2)

    def amplification(self, clock, state):
        """One: the state is the effective weight."""
        return jnp.ones(())

    def field(self, clock, state, args):
        r"""$dw/d\tau$."""
        root = jnp.hypot(state, 2 * jnp.exp(self.log_kappa - 2 * clock))
        return -2 * state + 4 * root * (self._multipliers(root) @ self.objective.data.x)

    def certificates(self, clock, state) -> dict[str, Scalar]:
        r"""The largest $|f_i - y_i|$, and the largest residual that decay leaves: $\lambda|\gamma_i|/2c$, $c$ the weight."""
        end = self.model(clock, state)
        data, weight_decay, w = self.objective.data, self.objective.weight_decay, end.effective()
        assert weight_decay is not None  # SlowManifold has refused the rest
        multipliers = self._multipliers(jnp.hypot(w, 2 * jnp.exp(2 * end.middle)))
        return {
            "violation": jnp.max(jnp.abs(data.x @ w - data.y)),
            "residual": jnp.max(jnp.abs(multipliers)) * weight_decay / (2 * self.objective.weight),
        }

    def _multipliers(self, root: Float[Array, " d"]) -> Float[Array, " n"]:
        r"""$\gamma$."""
        data = self.objective.data
        return jsl.solve(2 * (data.x * root) @ data.x.T, data.y, assume_a="pos")
