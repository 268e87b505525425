"""One cheap run of the same model from a smaller start: what it shows comes log(scale)/decay later from a larger one."""

from functools import cache
from typing import Any

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...dynamics import Chebyshev, GradientFlow, Outcome
from ...dynamics.optimizers import optimizer
from ...errors import BadInput
from ...losses import Squared
from ...measures import accuracy, relative_error
from ...models import DiagonalNet, SymmetricNet, parameters
from ...objective import Objective
from ...problems import Entries, Split

# After log(alpha)/decay, in units of 1/decay: what has not switched by then is not waited for.
AFTER = 8.0
# Moments evenly in the logarithm to a hundredth of the horizon, and evenly from there.
EARLY, EVEN = 60, 180
# A dense implicit step on so many unknowns still costs less than the steps it saves.
IMPLICIT = 400
# Steps of a smooth flow are some thousand. One that slides along the kinks of ReLUs takes ever more: it is followed again,
# with the tolerance that such a flow can have.
FEW, COARSE = 20_000, 1e-3
# Above so many weights a flow of classes is stiff enough for the stabilized method.
MANY = 1_000
# Steps that an optimizer without a clock may take: a flow has a bound of its own.
MOST_STEPS = 1e6


def moments(horizon: float) -> np.ndarray:
    """Zero, times evenly in the logarithm, then evenly to the horizon."""
    knee = horizon / 100
    return np.concatenate([[0.0], np.geomspace(knee * 1e-4, knee, EARLY), np.linspace(knee, horizon, EVEN)[1:]])


def counts(steps: float) -> np.ndarray:
    """The same for step counts: whole numbers that increase, as many of them as there are moments of a flow."""
    wanted = np.round(moments(float(steps)))
    order = np.arange(wanted.size)
    return order + np.maximum.accumulate(wanted - order)


def require_few(name: str, steps: float) -> None:
    """Refuse a cheap run of too many steps."""
    if steps > MOST_STEPS:
        raise BadInput(
            needed=f"the cheap run of {name} is made of its own steps, {MOST_STEPS:,.0f} at most",
            given=f"{steps:,.0f}, about {AFTER:g} over decay and rate",
            cure="Raise the rate or the decay, or ask for a descent, whose cheap run is a flow.",
        )


def flow(goal: Objective, start: Any) -> GradientFlow:
    """The cheapest flow that reads a switch to a percent: implicit for few unknowns of the squared loss."""
    count = sum(part.size for part in jax.tree.leaves(parameters(start)))
    depth = start.depth if isinstance(start, DiagonalNet) else 2
    if isinstance(goal.loss, Squared):
        # The reduced state of a net of depth 4 loses its digits long after the switch; its weights do not.
        reduced = isinstance(start, DiagonalNet | SymmetricNet) and depth <= 3
        if count <= IMPLICIT or reduced:
            tolerances = (1e-7, 1e-9) if depth <= 2 else (1e-8, 1e-10)
            return GradientFlow(dfx.Kvaerno5(), *tolerances, reduce="auto" if depth <= 3 else None, land=False)
        return GradientFlow(Chebyshev(), 1e-5, 1e-7, land=False)
    if count > MANY and goal.loss.classes_only:
        return GradientFlow(Chebyshev(refresh=100), 1e-2, 1e-3, max_steps=200_000, reduce=None, land=False)
    return GradientFlow(dfx.Bosh3(), 1e-6, 1e-6, max_steps=FEW, reduce="auto" if depth <= 2 else None, land=False)


@cache
def adaptive(name: str, rate: float) -> Any:
    """An optimizer by name, made once: another object of it would be another program to compile."""
    return optimizer(name, rate, jr.key(0))


@eqx.filter_jit
def curves(dynamics: Any, goal: Objective, start: Any, when: Any, test: Split | Entries):
    """The curves `train` and `test` of a run and how it ended: one compiled program for all starts of one shape."""
    read = relative_error if isinstance(goal.loss, Squared) else accuracy
    path = dynamics.run(
        goal, start, when, read={"train": lambda net: read(net, goal.data), "test": lambda net: read(net, test)}
    )
    return path.reads["train"], path.reads["test"], path.outcome.code


def run(dynamics: Any, goal: Objective, start: Any, when: Any, test: Split | Entries):
    """The same as plain arrays, and whether numbers stayed finite; a flow out of steps is followed again, less closely."""
    train, told, finite = _plain(curves(dynamics, goal, start, jnp.asarray(when), test))
    if not finite and isinstance(dynamics, GradientFlow) and dynamics.max_steps == FEW:
        again = GradientFlow(dynamics.solver, COARSE, COARSE, max_steps=10 * FEW, reduce=None, land=False)
        train, told, finite = _plain(curves(again, goal, start, jnp.asarray(when), test))
    return train, told, finite


def _plain(found: tuple) -> tuple[np.ndarray, np.ndarray, bool]:
    train, test, code = (np.asarray(part) for part in found)
    return train, test, bool(np.isfinite(train).all() and np.isfinite(test).all() and int(code) <= Outcome.STOPPED)
