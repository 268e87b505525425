"""The flow of a linear model with a vanishing l1 or nuclear penalty, after it has fitted its data."""

import abc
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...errors import BadInput
from ...losses import Squared
from ...models import Linear, Matrix
from ...numerics.nuclear_path import NuclearPath, nuclear_path
from ...numerics.slow_path import SlowPath, slow_path
from ...numerics.values import concrete
from ...objective import Objective
from ...problems import Entries, Split
from ...regularizers import L1, Nuclear
from ..base import AbstractDynamics, Read, Stop, moments, readings, unpack
from ..trajectory import Outcome, Trajectory


class AbstractSlowFlow(AbstractDynamics):
    """A path along the interpolants that a vanishing penalty drives, known as a whole before it is read."""

    @classmethod
    @abc.abstractmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""

    @abc.abstractmethod
    def path(self, objective: Objective, init: Any) -> SlowPath | NuclearPath:
        """The whole path in slow time."""

    def run(self, objective: Objective, init: Any, when: Any, read: Read | None = None, stop: Stop | None = None) -> Trajectory:
        """Follow the limit and read the model at the times `when`."""
        name = type(self).__name__
        times = moments(when, name).astype(float)
        why_not = self.why_not(objective, init)
        if why_not is not None:
            raise BadInput(
                needed=f"{name} needs {self.needs}",
                given=why_not,
                cure=f"Use GradientFlow or a descent for other models, losses and penalties; run {name} outside jit.",
            )
        strength = float(objective.penalties[0][1])
        path = self.path(objective, init)
        weights = jnp.asarray(path.at(strength * np.asarray(times)))
        kind = type(init)
        stopped = jnp.zeros(times.size, bool) if stop is None else jax.vmap(lambda w: jnp.asarray(stop(kind(w))))(weights)
        return _trajectory(path, kind, times, weights, strength, stopped, read, self.how)

    needs: eqx.AbstractClassVar[str]
    how: eqx.AbstractClassVar[str]


class SlowFlow(AbstractSlowFlow):
    r"""$\dot w = -\text{strength}\cdot Ph$ along $Xw = y$, $h\in\partial\|w\|_1$ with the least $\|Ph\|_2$.

    The limit of gradient flow as the strength of an l1 penalty vanishes, and of (sub)gradient, proximal and
    projected descent as learning rate x strength does: they are off by terms linear in the strength (the penalty's bias) and
    in learning rate x strength (one step), except for transients just after an event. The fast phase is instantaneous:
    the run begins at the interpolator nearest to the initialization. Times are those of the flow, so steps of a descent times
    its learning rate: the strength only sets their unit, and the time of rest is `extinction` / strength. The path is exact,
    piecewise linear, and followed on the host: it cannot be compiled. A stopping rule is looked at on the recorded
    times only. `certificates` holds `extinction` (slow time, infinite if not reached), `feasibility` and `gap`.
    Assumes: a Linear model, the squared loss, consistent data, one penalty, and that the l1 norm.
    Source: beyond_l2, theorem 2.1.
    """

    max_events: int = 100_000
    needs: ClassVar[str] = "a Linear model, the squared loss of a Split, and one l1 penalty of positive strength"
    how: ClassVar[str] = "slow flow, event by event"

    @classmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""
        if not isinstance(init, Linear):
            return f"the model is {type(init).__name__}, not Linear"
        if not isinstance(objective.data, Split) or objective.data.y.ndim != 1:
            return "the data are not vector measurements with one target each"
        return _why_not(objective, init, L1())

    def path(self, objective: Objective[Split], init: Linear) -> SlowPath:
        """The whole path in slow time, with its events."""
        data = objective.data
        return slow_path(
            np.asarray(data.x, float), np.asarray(data.y, float), np.asarray(init.w, float), max_events=self.max_events
        )


class NuclearSlowFlow(AbstractSlowFlow):
    r"""$\dot W = -\text{strength}\cdot PH$ along the known entries, $H\in\partial\|W\|_*$ with the least $\|PH\|_F$.

    The counterpart of `SlowFlow` for matrices and the nuclear norm. Singular vectors turn, so the path is curved, and
    may come near its end without ever being there: it is followed by implicit steps with the local error `tolerance`,
    and `extinction` is when its speed fell below 1e-7. Between steps readings are on straight lines. `certificates`
    adds `error`, the sum of all local errors, over the size of the first interpolant.
    Assumes: a Matrix, the squared loss of Entries without contradiction, one penalty, and that the nuclear norm.
    Source: beyond_l2, theorem 2.2.
    """

    tolerance: float = 1e-5
    max_steps: int = 10_000
    needs: ClassVar[str] = "a Matrix, the squared loss of Entries, and one nuclear penalty of positive strength"
    how: ClassVar[str] = "slow flow, by implicit steps"

    @classmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""
        if not isinstance(init, Matrix):
            return f"the model is {type(init).__name__}, not a Matrix"
        if not isinstance(objective.data, Entries) or objective.data.shape != init.w.shape:
            return "the data are not entries of a matrix of its shape"
        return _why_not(objective, init, Nuclear())

    def path(self, objective: Objective[Entries], init: Matrix) -> NuclearPath:
        """The whole path in slow time."""
        data = objective.data
        x = np.zeros((data.n, *data.shape))
        x[np.arange(data.n), np.asarray(data.rows), np.asarray(data.cols)] = 1.0
        return nuclear_path(
            x, np.asarray(data.y, float), np.asarray(init.w, float), tolerance=self.tolerance, max_steps=self.max_steps
        )


def _why_not(objective: Objective, init: Linear | Matrix, norm: L1 | Nuclear) -> str | None:
    """The hypothesis on loss and penalty that fails, or None; a penalty is recognized by its value at one point."""
    if not isinstance(objective.loss, Squared):
        return f"the loss is {type(objective.loss).__name__}, not Squared"
    if any(concrete(part) is None for part in jax.tree.leaves((objective, init))):
        return "the numbers are not known yet, inside a compiled program"
    probe = jnp.sin(1.0 + jnp.arange(init.w.size)).reshape(init.w.shape) + 0.1
    if len(objective.penalties) != 1 or not np.isclose(
        np.asarray(objective.penalties[0][0].value(probe)), np.asarray(norm.value(probe)), rtol=1e-12, atol=0
    ):
        return f"the penalty is not the {'l1' if isinstance(norm, L1) else 'nuclear'} norm alone"
    if not float(objective.penalties[0][1]) > 0:
        return "the strength of the penalty is 0"
    return None


def _trajectory(path, kind, times, weights, strength: float, stopped, read: Read | None, how: str) -> Trajectory:
    """The record: readings after a stop repeat the one that stopped the run, after a cut-off they are NaN."""
    early = bool(stopped[:-1].any())
    last = int(jnp.argmax(stopped)) if early else times.size - 1
    weights = jnp.where((times > times[last]).reshape(-1, *(1,) * (weights.ndim - 1)), weights[last], weights)
    known = bool(jnp.isfinite(weights).all())
    code = Outcome.STOPPED if early else Outcome.END if known else Outcome.STEP_LIMIT
    end = kind(weights[last])
    models, reads = unpack(read, jax.vmap(lambda w: readings(read, kind(w)))(weights), end)
    reached = times[last] if known else jnp.asarray(path.times[-1] / strength)
    outcome = Outcome(jnp.asarray(code), reached, jnp.asarray(path.times.size - 1), how)
    certificates = {"extinction": path.extinction, "feasibility": path.feasibility, "gap": path.gap}
    if isinstance(path, NuclearPath):
        certificates["error"] = path.error
    return Trajectory(times, models, reads, end, outcome, {name: jnp.asarray(v) for name, v in certificates.items()})
