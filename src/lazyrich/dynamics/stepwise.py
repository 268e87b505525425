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
from .base import AbstractDynamics, Read, Stop, moments, readings, unpack
from .trajectory import Outcome, Trajectory


class Plan(NamedTuple):
    """What one run repeats: `step(count, model, memory)` gives the next model and memory, counted from 0.

    `show` names what of the memory is read beside what was asked for; `certify` judges the end.
    """

    step: Callable[[Any, Any, Any], tuple[Any, Any]]
    memory: Any = ()
    show: Callable[[Any], dict[str, Any]] = lambda memory: {}
    certify: Callable[[Any, Any, Any], dict[str, Any]] = lambda model, memory, count: {}


class AbstractStepwise(AbstractDynamics):
    """Dynamics that take whole steps. The moments are step counts.

    Only what is read is kept, however many steps lie between two moments. A stopping rule is looked at on the
    moments only. The outcome of a run that met numbers that are not finite names the first step whose parameters
    held one; readings from that step on are NaN.
    """

    how: eqx.AbstractClassVar[str]

    @abc.abstractmethod
    def plan(self, objective: Objective, start: Any) -> Plan:
        """What is repeated, after refusing what these dynamics do not fit."""

    def run(
        self, objective: Objective, start: Any, when: Any, read: Read | None = None, stop: Stop | None = None
    ) -> Trajectory:
        """Take steps and read the model after the step counts `when`."""
        who = type(self).__name__
        require_movable(start, who)
        counts = moments(when, who, whole=True).astype(int)
        plan = self.plan(objective, start)
        _require_free_names(who, plan, read)
        state = _State(eqx.filter(start, eqx.is_inexact_array), plan.memory, jnp.zeros((), int))
        loop = _Loop(plan.step, eqx.filter(start, eqx.is_inexact_array, inverse=True))

        def segment(carry, until):
            state, stopped, broken = carry
            state, broken = loop.advance(state, jnp.where(stopped | broken, state.count, until))
            model = loop.model(state)
            stopped = stopped | (jnp.asarray(False) if stop is None else jnp.asarray(stop(model)) & ~broken)
            records = (readings(read, model), plan.show(state.memory))
            return (state, stopped, broken), (_blank(records, broken), stopped)

        first = (state, jnp.asarray(False), ~_finite(state.arrays))
        (state, _, broken), ((records, shown), stopped) = jax.lax.scan(segment, first, counts)
        end = loop.model(state)
        code = jnp.where(stopped[:-1].any(), Outcome.STOPPED, Outcome.END)
        outcome = Outcome(jnp.where(broken, Outcome.NOT_FINITE, code), state.count.astype(float), state.count, self.how)
        models, reads = unpack(read, records, end)
        return Trajectory(
            counts.astype(float), models, {**reads, **shown}, end, outcome, plan.certify(end, state.memory, state.count)
        )


def moved(model: Any, slope: Any, rate: Any) -> Any:
    r"""$\theta - \text{rate}\cdot\text{slope}$ on the arrays that have a slope."""
    return eqx.apply_updates(model, jax.tree.map(lambda part: -rate * part, slope))


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
