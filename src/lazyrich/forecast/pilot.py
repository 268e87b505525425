"""A cheap run of the same model from a smaller initialization: a larger one does the same log(scale)/(weight decay) later."""

from functools import cache
from typing import Any

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ..dynamics import Chebyshev, GradientFlow, Outcome
from ..dynamics.optimizers import optimizer
from ..errors import BadInput
from ..losses import Squared
from ..measures import accuracy, relative_error
from ..models import DiagonalNet, SymmetricNet, parameters
from ..objective import Objective
from ..problems import Entries, Split
from ..types import Array

# After log(alpha)/(weight decay), in units of 1/(weight decay): a run that has not switched by then is ended.
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
            given=f"{steps:,.0f}, about {AFTER:g}/(weight decay x learning rate)",
            cure="Raise the learning rate or the weight decay, or use a descent, whose cheap run is a flow.",
        )


def flow(objective: Objective, init: Any) -> GradientFlow:
    """The cheapest flow that gives the transition to a percent: implicit for few unknowns of the squared loss."""
    count = sum(part.size for part in jax.tree.leaves(parameters(init)))
    depth = init.depth if isinstance(init, DiagonalNet) else 2
    if isinstance(objective.loss, Squared):
        # The reduced state of a net of depth 4 loses its digits long after the switch; its weights do not.
        reduced = isinstance(init, DiagonalNet | SymmetricNet) and depth <= 3
        if count <= IMPLICIT or reduced:
            tolerances = (1e-7, 1e-9) if depth <= 2 else (1e-8, 1e-10)
            return GradientFlow(dfx.Kvaerno5(), *tolerances, reduce="auto" if depth <= 3 else None, land=False)
        return GradientFlow(Chebyshev(), 1e-5, 1e-7, land=False)
    if count > MANY and objective.loss.classes_only:
        return GradientFlow(Chebyshev(refresh=100), 1e-2, 1e-3, max_steps=200_000, reduce=None, land=False)
    return GradientFlow(dfx.Bosh3(), 1e-6, 1e-6, max_steps=FEW, reduce="auto" if depth <= 2 else None, land=False)


@cache
def adaptive(name: str, learning_rate: float) -> Any:
    """An optimizer by name, made once: another object of it would be another program to compile."""
    return optimizer(name, learning_rate, jr.key(0))


@eqx.filter_jit
def curves(dynamics: Any, objective: Objective, init: Any, when: Any, test: Split | Entries) -> tuple[Array, Array, Array]:
    """The curves `train` and `test` of a run and how it ended: one compiled program for all initializations of one shape."""
    read = relative_error if isinstance(objective.loss, Squared) else accuracy
    path = dynamics.run(
        objective, init, when, read={"train": lambda net: read(net, objective.data), "test": lambda net: read(net, test)}
    )
    return path.reads["train"], path.reads["test"], path.outcome.code


def run(dynamics: Any, objective: Objective, init: Any, when: Any, test: Split | Entries) -> tuple[np.ndarray, np.ndarray, bool]:
    """The same as plain arrays, and whether numbers stayed finite; a flow out of steps is followed again, less closely."""
    train, held, finite = _plain(curves(dynamics, objective, init, jnp.asarray(when), test))
    if not finite and isinstance(dynamics, GradientFlow) and dynamics.max_steps == FEW:
        again = GradientFlow(dynamics.solver, COARSE, COARSE, max_steps=10 * FEW, reduce=None, land=False)
        train, held, finite = _plain(curves(again, objective, init, jnp.asarray(when), test))
    return train, held, finite


def _plain(found: tuple) -> tuple[np.ndarray, np.ndarray, bool]:
    train, test, code = (np.asarray(part) for part in found)
    return train, test, bool(np.isfinite(train).all() and np.isfinite(test).all() and int(code) <= Outcome.STOPPED)
