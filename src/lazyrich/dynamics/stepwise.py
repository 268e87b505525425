"""The one loop of all dynamics that count steps."""

import abc
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..models import require_movable
from ..objective import Objective
from ..types import Array, Bool
from .base import AbstractSegmented, Read, Stop, moments, readings, unpack
from .trajectory import Outcome, Trajectory


class Plan(NamedTuple):
    """What one run repeats: `step(count, model, memory)` gives the next model and memory, counted from 0.

    `show` names what of the memory is read beside what was asked for; `certify` judges the end.
    """

    step: Callable[[Any, Any, Any], tuple[Any, Any]]
    memory: Any = ()
    show: Callable[[Any], dict[str, Any]] = lambda memory: {}
    certify: Callable[[Any, Any, Any], dict[str, Any]] = lambda model, memory, count: {}


class AbstractStepwise(AbstractSegmented):
    """Dynamics that take whole steps. The moments are step counts.

    Only what is read is kept, however many steps lie between two moments. A stopping rule is looked at on the
    moments only. The outcome of a run that met numbers that are not finite names the first step whose parameters
    held one; readings from that step on are NaN.
    """

    how: eqx.AbstractClassVar[str]

    @abc.abstractmethod
    def plan(self, objective: Objective, init: Any) -> Plan:
        """What is repeated, after refusing what these dynamics do not fit."""

    def run(self, objective: Objective, init: Any, when: Any, read: Read | None = None, stop: Stop | None = None) -> Trajectory:
        """Take steps and read the model after the step counts `when`."""
        counts = moments(when, type(self).__name__, whole=True).astype(int)
        carry, records = self.advance(objective, init, self.begin(objective, init), counts, read, stop)
        end, outcome, certificates = self.conclude(objective, init, carry, counts[-1])
        whole = {name: records.pop(name) for name in ("model",) if read is None}
        models, _ = unpack(read, whole, end)
        return Trajectory(counts.astype(float), models, records, end, outcome, certificates)

    def begin(self, objective: Objective, init: Any) -> "Carry":
        """Where a run begins, after refusing what these dynamics do not fit."""
        require_movable(init, type(self).__name__)
        state = _State(eqx.filter(init, eqx.is_inexact_array), self.plan(objective, init).memory, jnp.zeros((), int))
        return Carry(state, jnp.asarray(False), ~_finite(state.arrays))

    def advance(
        self, objective: Objective, init: Any, carry: "Carry", when: Any, read: Read | None, stop: Stop | None
    ) -> tuple["Carry", dict[str, Any]]:
        """Go on from a carry to each of these step counts, and read the model there."""
        plan = self.plan(objective, init)
        _require_free_names(type(self).__name__, plan, read)
        loop = _Loop(plan.step, eqx.filter(init, eqx.is_inexact_array, inverse=True))

        def segment(carry: Carry, until):
            state, broken = loop.advance(carry.state, jnp.where(carry.over, carry.state.count, until))
            broken = broken | carry.broken
            model = loop.model(state)
            stopped = carry.stopped | (jnp.asarray(False) if stop is None else jnp.asarray(stop(model)) & ~broken)
            records = {**readings(read, model), **plan.show(state.memory)}
            return Carry(state, stopped, broken), _blank(records, broken)

        return jax.lax.scan(segment, carry, when)

    def conclude(self, objective: Objective, init: Any, carry: "Carry", last: Any) -> tuple[Any, Outcome, dict[str, Any]]:
        """The last model, how the run ended, and what certifies it."""
        plan, state = self.plan(objective, init), carry.state
        end = eqx.combine(state.arrays, eqx.filter(init, eqx.is_inexact_array, inverse=True))
        code = jnp.where(carry.stopped & (state.count < last), Outcome.STOPPED, Outcome.END)
        code = jnp.where(carry.broken, Outcome.NOT_FINITE, code)
        outcome = Outcome(code, state.count.astype(float), state.count, self.how)
        return end, outcome, plan.certify(end, state.memory, state.count)


class Carry(NamedTuple):
    """What one segment hands to the next: the state, whether a rule stopped the run, whether numbers broke."""

    state: "_State"
    stopped: Bool[Array, ""]
    broken: Bool[Array, ""]

    @property
    def over(self) -> Bool[Array, ""]:
        """Whether nothing moves any more."""
        return self.stopped | self.broken


def moved(model: Any, slope: Any, learning_rate: Any) -> Any:
    r"""$\theta - \eta\,\text{slope}$ on the arrays that have a slope."""
    return eqx.apply_updates(model, jax.tree.map(lambda part: -learning_rate * part, slope))


class _State(NamedTuple):
    """The model's moving arrays, what the dynamics remember, and the number of steps taken."""

    arrays: Any
    memory: Any
    count: Any


class _Loop(NamedTuple):
    """A step with the resting part of the model."""

    step: Callable[[Any, Any, Any], tuple[Any, Any]]
    rest: Any

    def model(self, state: _State) -> Any:
        return eqx.combine(state.arrays, self.rest)

    def next(self, state: _State) -> _State:
        model, memory = self.step(state.count, self.model(state), state.memory)
        return _State(eqx.filter(model, eqx.is_inexact_array), memory, state.count + 1)

    def advance(self, state: _State, until: Any) -> tuple[_State, Any]:
        """The state at this count, or where it first holds a number that is not finite, and whether it does.

        Such numbers do not go away again: looking at the end is enough, and only a segment that broke is
        followed once more, step by step, to find where.
        """
        ahead = jax.lax.while_loop(lambda state: state.count < until, self.next, state)
        broken = ~_finite(ahead.arrays)

        def intact(state: _State):
            return broken & (state.count < until) & _finite(state.arrays)

        back = jax.lax.while_loop(intact, self.next, state)
        return jax.tree.map(lambda far, near: jnp.where(broken, near, far), ahead, back), broken


def _finite(arrays: Any) -> Bool[Array, ""]:
    return jnp.stack([jnp.all(jnp.isfinite(part)) for part in jax.tree.leaves(arrays)]).all()


def _blank(records: Any, broken: Any) -> Any:
    """The records, or NaN in their floating-point numbers."""

    def blank(part):
        return jnp.where(broken, jnp.nan, part) if jnp.issubdtype(part.dtype, jnp.inexact) else part

    return jax.tree.map(lambda part: blank(jnp.asarray(part)), records)


def _require_free_names(who: str, plan: Plan, read: Read | None) -> None:
    taken = sorted(set(jax.eval_shape(plan.show, plan.memory)) & set(read or {}))
    if taken:
        raise BadInput(
            needed=f"{who} reads {', '.join(taken)} by itself",
            given="a reading of the same name",
            cure="Give yours another name.",
        )
