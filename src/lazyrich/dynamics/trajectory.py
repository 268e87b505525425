"""The record of a run: what was read at which times, where it ended, and how that came about."""

from typing import Any, ClassVar

import equinox as eqx
import jax

from ..errors import BadInput
from ..types import Array, Bool, Float, Int


class Outcome(eqx.Module):
    """How a run ended: a code, the time it reached, the solver's steps, and the method in words.

    Not converging is an outcome, not an exception: the caller decides what it means.
    """

    code: Int[Array, "..."]
    reached: Float[Array, "..."]
    steps: Int[Array, "..."]
    how: str = eqx.field(static=True)

    END: ClassVar[int] = 0
    STOPPED: ClassVar[int] = 1
    STEP_LIMIT: ClassVar[int] = 2
    NOT_FINITE: ClassVar[int] = 3
    LOST: ClassVar[int] = 4
    SENTENCES: ClassVar[tuple[str, ...]] = (
        "reached the last time asked for",
        "met its stopping rule before the last time; later readings repeat the last one",
        "ran out of steps; later readings are NaN. Raise max_steps, loosen rtol, or choose a solver for stiff flows",
        "met numbers that are not finite; later readings are NaN. Check init and data, or lower the learning rate",
        "lost the digits of its reduction: late readings are wrong. Use reduce=None, or end the run earlier",
    )

    @property
    def ok(self) -> Bool[Array, "..."]:
        """Whether every reading is data."""
        return self.code <= self.STOPPED

    @property
    def sentence(self) -> str:
        """The outcome in words, with the time reached."""
        return f"{self.SENTENCES[int(self.code)]} (at {float(self.reached):.6g}, {int(self.steps)} steps, {self.how})"


class Trajectory(eqx.Module):
    """What a run left behind.

    `reads` holds what was asked for, each with a leading time axis. `models` holds whole models with a
    leading time axis, only when nothing was asked for: index them with `at`, never call them as they are.
    """

    times: Float[Array, " t"]
    models: Any
    reads: dict[str, Any]
    end: Any
    outcome: Outcome
    certificates: dict[str, Any] = eqx.field(default_factory=dict)

    def at(self, index: int) -> Any:
        """The whole model at one of the saved times."""
        if self.models is None:
            raise BadInput(
                needed="whole models are kept only when nothing is read",
                given=f"a run that read {', '.join(self.reads)}",
                cure="Run it without `read`, or read what you need.",
            )
        return jax.tree.map(lambda part: part[index] if eqx.is_array(part) else part, self.models)
