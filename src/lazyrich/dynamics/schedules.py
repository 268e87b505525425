"""How far a step goes: a number, or a schedule of the step count."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ..errors import BadInput
from ..numerics.values import concrete
from ..types import Array, Float, Int


class InverseTime(eqx.Module):
    r"""$a/(b + k)$ at step $k = 0, 1, \dots$: steps that vanish while their sum does not end. Optax takes it too.

    Source: beyond_l2, theorem C.3.
    """

    a: Any
    b: Any

    def __call__(self, count: int | Int[Array, "..."]) -> Float[Array, "..."]:
        """The learning rate of this step."""
        return jnp.asarray(self.a / (self.b + count), float)


def rate_at(learning_rate: Any, count: Any) -> Any:
    """The learning rate of this step."""
    return learning_rate(count) if callable(learning_rate) else learning_rate


def require_positive(dynamics: Any, *names: str) -> None:
    """Refuse numbers that are not positive and finite; schedules and what is left out pass."""
    for name in names:
        value = getattr(dynamics, name)
        number = None if value is None or callable(value) else concrete(value)
        if number is not None and not (np.isfinite(number) & (number > 0)).all():
            raise BadInput(
                needed=f"{type(dynamics).__name__} needs a {name} > 0", given=f"{number}", cure=f"Use for example {name}=0.01."
            )
