"""Nets with a small penalty on all their weights: when they fit, and when, rate times strength later, they generalize."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ...dynamics import GradientDescent
from ...dynamics.sharpness import edge
from ...dynamics.stepwise import AbstractStepwise
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...regularizers import L1, L2, Nuclear, OneOf
from ..params import Param

PENALTIES = (L1(), L2(), Nuclear())
NAMES = {1: "l1", 2: "l2", 3: "nuclear"}
# The training accuracy that counts as a fit.
FIT = 0.99
# How many of the moments come before a twentieth of the horizon, evenly in the logarithm: there the fit happens.
EARLY = 25


def moments_of(steps, moments: int):
    """Step counts from 0: logarithmic to a twentieth of all steps, then even, at the same slow times for all rates."""
    knee = jnp.maximum(steps / 20, 1.0)
    even = jnp.linspace(knee, steps, moments - EARLY)
    return jnp.round(jnp.concatenate([jnp.zeros(1), jnp.geomspace(1.0, knee, EARLY)[:-1], even]))


def follow(
    goal: Callable[..., Objective],
    net: Any,
    *,
    train: Callable,
    test: Callable,
    penalty,
    rate,
    strength,
    reach,
    level,
    enough,
    moments: int,
    dynamics: AbstractStepwise | None = None,
) -> dict[str, Any]:
    """Steps up to the slow time `reach` or a test accuracy of `enough`: curves, steps to fit and to generalize.

    Plain ones unless other dynamics are given. `goal(penalties)` makes the objective; `train` and `test` read accuracies;
    `level` is the test accuracy that counts as generalizing. Of plain steps, `edge` is rate times the sharpness of the data
    loss at the end.
    """
    when = moments_of(reach / (rate * strength), moments)
    read = {"train": train, "test": test, "length": _length}
    whole = goal([(OneOf(PENALTIES, jnp.asarray(penalty) - 1), strength)])
    steps = GradientDescent(rate) if dynamics is None else dynamics
    path = steps.run(whole, net, when, read=read, stop=lambda net: test(net) >= enough)
    fits = first_crossing(when, path.reads["train"], FIT)
    plain = {"edge": edge(goal([]), rate)(path.end)} if dynamics is None else {}
    return plain | {
        "step": when,
        **path.reads,
        "fits": fits,
        "fitted_test": jnp.interp(jnp.minimum(fits, when[-1]), when, path.reads["test"]),
        "finds": first_crossing(when, path.reads["test"], level),
        "outcome": path.outcome.code,
    }


def _length(net) -> Any:
    """The l2 norm of all weights."""
    return jnp.sqrt(sum(jnp.sum(part**2) for part in jax.tree.leaves(net)))


CURVES = ("step", "train", "test", "length")
RETURNS = {
    **dict.fromkeys(CURVES, "t"),
    **dict.fromkeys(("fits", "fitted_test", "finds", "edge", "outcome"), ""),
}
CLOCK = (
    Param("moments", 100, smoke=40, low=30, high=2_000, unit="times on the curve", static=True),
    Param("penalty", 2, low=1, high=3, unit="1: l1, 2: l2, 3: nuclear"),
)
