"""Ways to write one gradient flow as an ordinary differential equation."""

import abc
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp

from ..models import require_movable
from ..objective import Objective
from ..types import Array, Float, Scalar
from .conserved import drift


class AbstractForm(eqx.Module):
    """A state that moves with a clock of its own, and the model it stands for.

    The plain form moves the parameters themselves; a reduction moves fewer numbers that determine them.
    """

    how: eqx.AbstractVar[str]
    stiff: eqx.AbstractClassVar[bool]
    """Whether an implicit solver is worth its dense systems under the squared loss."""

    @abc.abstractmethod
    def state(self) -> Any:
        """The state at time 0."""

    @abc.abstractmethod
    def clock(self, times: Float[Array, "..."]) -> Float[Array, "..."]:
        """The clock at these times; 0 at time 0, increasing."""

    @abc.abstractmethod
    def time(self, clock: Float[Array, "..."]) -> Float[Array, "..."]:
        """The time at this clock."""

    @abc.abstractmethod
    def field(self, clock, state: Any, args: Any) -> Any:
        """The rate of change of the state per unit of clock."""

    @abc.abstractmethod
    def model(self, clock, state: Any) -> Any:
        """The model that this state stands for."""

    @abc.abstractmethod
    def amplification(self, clock, state: Any) -> Scalar:
        """By how much a relative error of the state is larger in the model."""

    @abc.abstractmethod
    def certificates(self, clock, state: Any) -> dict[str, Scalar]:
        """Named relative errors of this state that can be computed without knowing the flow."""


class PlainForm(AbstractForm):
    r"""$\dot\theta = -\nabla\mathcal L(\theta)$ on the parameters themselves, in time itself."""

    stiff: ClassVar[bool] = True

    objective: Objective
    init: Any
    how: str = eqx.field(static=True, default="plain flow of the parameters")

    def __check_init__(self):
        """The initialization's arrays are its parameters."""
        require_movable(self.init, "the plain flow")

    def state(self):
        """The parameters at initialization."""
        return eqx.filter(self.init, eqx.is_inexact_array)

    def clock(self, times):
        """Time."""
        return times

    def time(self, clock):
        """Time."""
        return clock

    def field(self, clock, state, args):
        """Minus the gradient."""
        slope = jax.grad(lambda arrays: self.objective(self._join(arrays)))(state)
        return jax.tree.map(lambda part: -part, slope)

    def model(self, clock, state):
        """The initialization with these parameters in place."""
        return self._join(state)

    def amplification(self, clock, state):
        """One: the state is the model."""
        return jnp.ones(())

    def certificates(self, clock, state):
        """What the flow conserves, where that is known."""
        return drift(self.objective, self.init, self.model(clock, state), clock)

    def _join(self, arrays):
        return eqx.combine(arrays, eqx.filter(self.init, eqx.is_inexact_array, inverse=True))
