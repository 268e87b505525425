"""The slow motion along the interpolants of the squared loss that a small weight decay causes."""

from typing import Any

import diffrax as dfx
import equinox as eqx
import jax.numpy as jnp

from ...errors import BadInput
from ...losses import Squared
from ...numerics.values import concrete
from ...objective import Objective
from ..base import AbstractDynamics, Read, Stop, moments
from ..flow import GradientFlow
from ..trajectory import Trajectory
from .completion import CompletionManifold
from .diagonal import DiagonalManifold

_MANIFOLDS = (DiagonalManifold, CompletionManifold)
# The flow without weight decay, up to here in units of its slowest time scale, leaves e^-36 = 2e-16 of the residuals.
_SETTLED = 36.0


class SlowManifold(AbstractDynamics):
    r"""The gradient flow of a squared loss with weight decay $\lambda\to 0$, in the slow time $\tau = \lambda t$.

    First the flow without weight decay settles at an interpolant; in slow time that takes no time, and the trajectory begins
    there: its model at $\tau = 0$ is not the initialization. Then the data hold the outputs at $y$ while the weight decay moves
    everything else: the residuals are $\lambda$ times multipliers $\gamma$, found at each moment from one symmetric
    linear system of $n$ equations. That motion is not stiff, and neither the weight decay nor the reduction matters; settling is
    stiff only from a small initialization, where `solver` may be an implicit one. The flow itself differs by $O(n\lambda)$
    where its fast time is short, $\lambda\ll\kappa$ with $\kappa = \alpha^2e^{-2\tau}$.

    `when`, `times` and `reached` are slow times. Certificates: `violation`, the largest distance of the last outputs from $y$;
    `residual`, how far those of the flow with the objective's own weight decay would be, to first order.
    Assumes: the squared loss, a positive weight decay, and a symmetric net or a diagonal net of depth 2 that the reduced
    flow takes. Source: lyu2024, corollary 3.11 and theorem 3.12.
    """

    solver: dfx.AbstractSolver = dfx.Tsit5()
    rtol: float = 1e-9
    atol: float = 1e-11
    max_steps: int = 100_000
    land: bool = eqx.field(static=True, default=True)

    def run(self, objective: Objective, init: Any, when: Any, read: Read | None = None, stop: Stop | None = None) -> Trajectory:
        r"""Follow the limit and read the model at the slow times `when`."""
        times = moments(when, "SlowManifold").astype(float)
        kind = _manifold(objective, init)
        free = Objective(objective.data, objective.loss, reduction=objective.reduction)
        settling = GradientFlow(self.solver, reduce=True, max_steps=self.max_steps)
        until = _SETTLED / kind.slowest_rate(objective, init)
        settled = settling.run(free, init, jnp.stack([jnp.zeros(()), until]), read={})
        form = kind.of(objective, settled.end, settled.outcome.ok)
        flow = GradientFlow(rtol=self.rtol, atol=self.atol, max_steps=self.max_steps, land=self.land)
        return flow.follow(form, self.solver, times, read, stop)


def _manifold(objective: Objective, init: Any):
    """The kind of slow manifold of this flow."""
    if not isinstance(objective.loss, Squared):
        raise BadInput(
            needed="SlowManifold needs the squared loss, whose minimizers interpolate",
            given=type(objective.loss).__name__,
            cure="Follow GradientFlow: its reductions take every loss.",
        )
    weight_decay = None if objective.weight_decay is None else concrete(objective.weight_decay)
    if objective.weight_decay is None or (weight_decay is not None and not weight_decay > 0):
        raise BadInput(
            needed="SlowManifold needs a positive weight decay by L2 alone: slow time is weight decay times time",
            given="another penalty" if objective.weight_decay is None else f"a weight decay of {weight_decay}",
            cure="Give the objective penalties=[(L2(), 1e-4)].",
        )
    reasons = []
    for kind in _MANIFOLDS:
        why_not = kind.why_not(objective, init)
        if why_not is None:
            return kind
        reasons.append(f"{kind.__name__}: {why_not}")
    raise BadInput(
        needed="SlowManifold needs a flow whose limit is known",
        given="; ".join(reasons),
        cure="Follow GradientFlow at a small weight decay.",
    )
