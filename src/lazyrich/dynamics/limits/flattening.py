"""The slow motion of a diagonal net of depth 2 along its interpolants, toward flatter ones."""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
import jax.scipy.linalg as jsl

from ...models import LogDiagonalNet
from ...numerics.entropy import scaled_arcsinh
from ...problems import Split
from ...types import Array, Float, Scalar
from ..forms import AbstractForm


class Flattening(AbstractForm):
    r"""$dw/dT = -16m\odot w + 4s\odot X^\top g$ with $g$ such that the outputs stay at $y$.

    Steps on noisy labels, or steps taken uphill first, move an interpolant by $-\frac12\nabla\operatorname{tr}H$ per unit of
    slow time $T$, held to the interpolants. With reduction "mean", $\operatorname{tr}H = 8\sum_km_k(u_k^2 + v_k^2)$ and
    $m_k = \frac1n\sum_ix_{ik}^2$: a weight decay of strength $8m_k$ on each coordinate. So $s = \sqrt{w^2 + 4\kappa^2}$ with
    $\kappa_k = \kappa_k(0)e^{-16m_kT}$, and the rest is the least $\sum_km_k|w_k|$ among interpolants. Slow time is
    $\eta^2\,$noise$^2\,$steps for `LabelNoiseSGD` and $\eta\,$radius$^2\,$steps for `OneSAM`, $\eta$ the learning rate.
    Assumes: the mean squared loss, independent inputs, and an initialization that fits. Source: lyu2024, theorem B.1.
    """

    stiff: ClassVar[bool] = False

    data: Split
    w: Float[Array, " d"]
    log_kappa: Float[Array, " d"]
    how: str = eqx.field(static=True, default="slow drift to flatter interpolants, in slow time")

    def state(self) -> Float[Array, " d"]:
        r"""$w$."""
        return self.w

    def clock(self, times):
        """Slow time."""
        return times

    def time(self, clock):
        """Slow time."""
        return clock

    def model(self, clock, state) -> LogDiagonalNet:
        r"""$w = 2\kappa\sinh 2h$ with $\kappa = e^{2m}$."""
        log_kappa = self._log_kappa(clock)
        return LogDiagonalNet(log_kappa / 2, scaled_arcsinh(state, log_kappa) / 2, 2)

    def field(self, clock, state, args):
        r"""$dw/dT$. Errors of the outputs fade at the mean rate of the weight decay."""
        x, pull = self.data.x, 2 * self._strengths * state
        root = jnp.hypot(state, 2 * jnp.exp(self._log_kappa(clock)))
        residual = 2 * jnp.mean(self._strengths) * (self.data.y - x @ state)
        force = jsl.solve(4 * (x * root) @ x.T, x @ pull + residual, assume_a="pos")
        return 4 * root * (force @ x) - pull

    def amplification(self, clock, state):
        """One: the state is the effective weight."""
        return jnp.ones(())

    def certificates(self, clock, state) -> dict[str, Scalar]:
        r"""The largest $|f_i - y_i|$."""
        return {"violation": jnp.max(jnp.abs(self.data.x @ state - self.data.y))}

    @property
    def _strengths(self) -> Float[Array, " d"]:
        """The strength of the weight decay of each coordinate, per unit of slow time."""
        return 8 * jnp.mean(self.data.x**2, axis=0)

    def _log_kappa(self, clock) -> Float[Array, " d"]:
        return self.log_kappa - 2 * self._strengths * clock
