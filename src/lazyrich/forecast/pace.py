"""How fast an optimizer's clock runs: flow time a step."""

from dataclasses import dataclass
from typing import Any

from ..dynamics import GradientDescent, GradientFlow, ProjectedSubgradient, ProximalDescent
from ..dynamics.optimizers import NAMES, clock
from ..errors import BadInput

ADAPTIVE = ("adam", "adamw")


@dataclass(frozen=True)
class Pace:
    """An optimizer by name, its learning rate, and the flow time of one of its steps in a slow phase; None if it has no clock."""

    name: str
    learning_rate: float
    per_step: float | None

    @property
    def unit(self) -> str:
        """What is counted."""
        return "time" if self.name == "flow" else "steps"


def pace(optimizer: Any = None, learning_rate: float | None = None) -> Pace:
    """The pace of a dynamics, or of an optimizer's name and its learning rate; without either that of the flow."""
    if learning_rate is not None and not isinstance(optimizer, str):
        named = "no name" if optimizer is None else f"a {type(optimizer).__name__}, which has its own"
        raise _refusal(
            f"a learning rate of {learning_rate} with {named}", "Name the optimizer too, as optimizer='descent', or leave it out."
        )
    if optimizer is None or isinstance(optimizer, GradientFlow):
        return Pace("flow", 1.0, 1.0)
    if isinstance(optimizer, GradientDescent | ProximalDescent | ProjectedSubgradient):
        given = (
            float(optimizer.learning_rate)
            if isinstance(optimizer.learning_rate, int | float) or hasattr(optimizer.learning_rate, "dtype")
            else None
        )
        if given is None:
            raise _refusal("a schedule of learning rates", "Give one number.")
        return Pace("descent", given, given)
    if isinstance(optimizer, str) and optimizer in NAMES:
        if learning_rate is None or not learning_rate > 0:
            raise _refusal(f"{optimizer} at learning rate {learning_rate}", "Give it too: learning_rate=1e-2.")
        return Pace(optimizer, float(learning_rate), clock(optimizer, float(learning_rate)))
    raise _refusal(
        repr(optimizer) if isinstance(optimizer, str) else f"a {type(optimizer).__name__}",
        "Name an optimizer of optax, as optimizer='adamw', learning_rate=1e-3.",
    )


def _refusal(given: str, cure: str) -> BadInput:
    known = f"a flow, a descent at a fixed learning rate, or one of {', '.join(NAMES)} with its learning rate"
    return BadInput(needed=f"a forecast knows the clocks of {known}", given=given, cure=cure)
