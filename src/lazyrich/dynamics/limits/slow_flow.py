"""The flow of a linear model with a vanishing l1 penalty, after it has fitted its data."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...errors import BadInput
from ...losses import Squared
from ...models import Linear
from ...numerics.slow_path import SlowPath, slow_path
from ...numerics.values import concrete
from ...objective import Objective
from ...problems import Split
from ..base import AbstractDynamics, Read, Stop, moments, readings, unpack
from ..trajectory import Outcome, Trajectory


class SlowFlow(AbstractDynamics):
    r"""$\dot w = -\text{strength}\cdot Ph$ along $Xw = y$, $h\in\partial\|w\|_1$ with the least $\|Ph\|_2$.

    The limit of gradient flow as the strength of an l1 penalty vanishes, and of (sub)gradient, proximal and
    projected descent as rate x strength does: they are off by terms linear in the strength (the penalty's bias) and
    in rate x strength (one step), except for transients just after an event. The fast phase is instantaneous:
    the run begins at the interpolator nearest to the start. Times are those of the flow, so steps of a descent times
    its rate: the strength only sets their unit, and the time of rest is `extinction` / strength. The path is exact,
    piecewise linear, and followed on the host: it cannot be compiled. A stopping rule is looked at on the recorded
    times only. `certificates` holds `extinction` (slow time, infinite if not reached), `feasibility` and `gap`.
    Assumes: a Linear model, the squared loss, consistent data, one penalty, and that the l1 norm.
    Source: beyond_l2, theorem 2.1.
    """

    max_events: int = 100_000

    @classmethod
    def why_not(cls, objective: Objective, start: Any) -> str | None:
        """The hypothesis that fails, or None."""
        if not isinstance(start, Linear):
            return f"the model is {type(start).__name__}, not Linear"
        if not isinstance(objective.data, Split) or objective.data.y.ndim != 1:
            return "the data are not vector measurements with one answer each"
        if not isinstance(objective.loss, Squared):
            return f"the loss is {type(objective.loss).__name__}, not Squared"
        if any(concrete(part) is None for part in jax.tree.leaves((objective, start))):
            return "the numbers are not known yet, inside a compiled program"
        if len(objective.penalties) != 1 or not _is_l1(objective.penalties[0][0], start.w.size):
            return "the penalty is not the l1 norm alone"
        if not float(objective.penalties[0][1]) > 0:
            return "the strength of the penalty is 0"
        return None

    def run(
        self, objective: Objective, start: Any, when: Any, read: Read | None = None, stop: Stop | None = None
    ) -> Trajectory:
        """Follow the limit and read the model at the times `when`."""
        times = moments(when, "SlowFlow").astype(float)
        why_not = self.why_not(objective, start)
        if why_not is not None:
            raise BadInput(
                needed="SlowFlow needs a Linear model, the squared loss of a Split, and one l1 penalty of positive strength",
                given=why_not,
                cure="Use GradientFlow or a descent for other models, losses and penalties; run SlowFlow outside jit.",
            )
        strength = float(objective.penalties[0][1])
        path = self.path(objective, start)
        weights = jnp.asarray(path.at(strength * np.asarray(times)))
        stopped = (
            jnp.zeros(times.size, bool) if stop is None else jax.vmap(lambda w: jnp.asarray(stop(Linear(w))))(weights)
        )
        return _trajectory(path, times, weights, strength, stopped, read)

    def path(self, objective: Objective, start: Linear) -> SlowPath:
        """The whole path in slow time, with its events."""
        data = objective.data
        assert isinstance(data, Split)  # why_not has refused the rest
        return slow_path(
            np.asarray(data.x, float), np.asarray(data.y, float), np.asarray(start.w, float), max_events=self.max_events
        )


def _is_l1(penalty: Any, size: int) -> bool:
    """Whether a penalty is the l1 norm, measured at a point without ties."""
    probe = np.sin(1.0 + np.arange(size)) + 0.1
    return bool(np.isclose(np.asarray(penalty.value(jnp.asarray(probe))), np.abs(probe).sum(), rtol=1e-12, atol=0))


def _trajectory(path: SlowPath, times, weights, strength: float, stopped, read: Read | None) -> Trajectory:
    """The record: readings after a stop repeat the one that stopped the run, after a cut-off they are NaN."""
    early = bool(stopped[:-1].any())
    last = int(jnp.argmax(stopped)) if early else times.size - 1
    weights = jnp.where((jnp.arange(times.size) > last)[:, None], weights[last], weights)
    known = bool(jnp.isfinite(weights).all())
    code = Outcome.STOPPED if early else Outcome.END if known else Outcome.STEP_LIMIT
    end = Linear(weights[last])
    models, reads = unpack(read, jax.vmap(lambda w: readings(read, Linear(w)))(weights), end)
    reached = times[last] if known else jnp.asarray(path.times[-1] / strength)
    outcome = Outcome(jnp.asarray(code), reached, jnp.asarray(path.times.size - 1), "slow flow, event by event")
    certificates = {"extinction": path.extinction, "feasibility": path.feasibility, "gap": path.gap}
    return Trajectory(times, models, reads, end, outcome, {name: jnp.asarray(v) for name, v in certificates.items()})
