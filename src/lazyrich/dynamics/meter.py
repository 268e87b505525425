"""What a run cost, with the steps that were thrown away.

On a rejected step diffrax restores the solver's state but keeps the controller's, so that only a controller can count
all steps; and all that a controller sees of a step is its error. So the error carries the cost there.
"""

import dataclasses
from typing import Any, NamedTuple

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array


class Cost(NamedTuple):
    """Evaluations of the field, and products of its Jacobian with a vector (each about two evaluations)."""

    evaluations: Any
    products: Any


class Estimate(eqx.Module):
    """The error of one part of the state, with the cost of the step: a controller divides it by its scale."""

    error: Array
    cost: Cost

    def __truediv__(self, scale):
        return self.error / scale


class Tally(eqx.Module):
    """The state of the controller inside, and the cost so far."""

    inner: Any
    cost: Cost


class Meter(dfx.AbstractStepSizeController):
    """Any controller, adding up what the steps cost, kept or not.

    It goes outside all others, around a solver that reports its costs.
    """

    controller: dfx.AbstractStepSizeController

    def wrap(self, direction):
        """The same around the controller inside, given the direction of time."""
        return Meter(self.controller.wrap(direction))

    def init(self, terms, t0, t1, y0, dt0, args, func, error_order):
        """One evaluation, for the field at initialization."""
        until, inner = self.controller.init(terms, t0, t1, y0, dt0, args, func, error_order)
        return until, Tally(inner, Cost(jnp.asarray(1), jnp.asarray(0)))

    def adapt_step_size(self, t0, t1, y0, y1_candidate, args, y_error, error_order, controller_state: Tally):
        """What the controller inside decides, and the cost of the step added."""
        error, cost = _read(y_error)
        *decided, inner, result = self.controller.adapt_step_size(
            t0, t1, y0, y1_candidate, args, error, error_order, controller_state.inner
        )
        total = jax.tree.map(lambda so_far, more: so_far + more.astype(int), controller_state.cost, cost)
        return *decided, Tally(inner, total), result


def metered(
    solver: dfx.AbstractSolver, controller: dfx.AbstractStepSizeController
) -> tuple[dfx.AbstractSolver, dfx.AbstractStepSizeController]:
    """The same solver and controller, the one reporting its costs and the other adding them up.

    Save the controller's state (`SaveAt(controller_state=True)`) and read it with `spent`.
    """
    if not hasattr(solver, "metered"):
        raise BadInput(
            needed="metered needs a solver that reports its costs",
            given=type(solver).__name__,
            cure="Use Chebyshev, or multiply the steps by the stages of the method.",
        )
    return dataclasses.replace(solver, metered=True), Meter(controller)


def spent(solution: dfx.Solution) -> Cost:
    """Evaluations and products of a metered run, rejected steps included."""
    if not isinstance(solution.controller_state, Tally):
        raise BadInput(
            needed="spent needs a metered run whose controller's state was saved",
            given="one without",
            cure="Use metered(solver, controller) and SaveAt(..., controller_state=True).",
        )
    return solution.controller_state.cost


def report(error: Any, cost: Cost) -> Any:
    """The error with the cost in its first leaf."""
    leaves, structure = jax.tree.flatten(error)
    cost = Cost(*(jnp.asarray(number, float) for number in cost))
    return jax.tree.unflatten(structure, [Estimate(leaves[0], cost), *leaves[1:]])


def _read(error: Any) -> tuple[Any, Cost]:
    leaves, structure = jax.tree.flatten(error, is_leaf=lambda part: isinstance(part, Estimate))
    if not leaves or not isinstance(leaves[0], Estimate):
        raise BadInput(
            needed="Meter needs a solver that reports its costs",
            given="a plain error",
            cure="Make both with metered(solver, controller).",
        )
    return jax.tree.unflatten(structure, [leaves[0].error, *leaves[1:]]), leaves[0].cost
