"""A named reading along time."""

import equinox as eqx

from ..errors import BadInput
from ..types import Array, Float


class Curve(eqx.Module):
    """Values at increasing times, under a name that events and drawings use."""

    times: Float[Array, " t"]
    values: Float[Array, " t"]
    name: str = eqx.field(static=True)

    def __check_init__(self):
        """One value a time."""
        if self.times.ndim != 1 or self.times.shape != self.values.shape:
            raise BadInput(
                needed=f"the curve {self.name!r} takes one value for each time",
                given=f"{self.times.shape} times and {self.values.shape} values",
                cure="Read one number a time, for example read={'loss': objective}.",
            )
