"""When something happens on a curve, or why it never does."""

import equinox as eqx

from .measures import Curve
from .numerics.crossings import first_crossing
from .types import Scalar


class Time(eqx.Module):
    """The time of an event: infinite if it did not happen by the horizon, NaN if the curve is broken."""

    value: Scalar
    horizon: Scalar
    best: Scalar
    name: str = eqx.field(static=True)

    @property
    def why(self) -> str:
        """What happened, in words."""
        if self.value != self.value:
            return f"{self.name}: the curve is not a number before it"
        if self.value == float("inf"):
            return f"{self.name}: never by t = {float(self.horizon):g}; it came no further than {float(self.best):.6g}"
        return f"{self.name}: at t = {float(self.value):.6g}"


def first_above(curve: Curve, level: int | float) -> Time:
    """When a curve first reaches a level from below, linear between its points."""
    value = first_crossing(curve.times, curve.values, level)
    return Time(value, curve.times[-1], curve.values.max(), f"{curve.name} reaches {level:g}")


def first_below(curve: Curve, level: int | float) -> Time:
    """When a curve first falls to a level from above, linear between its points."""
    value = first_crossing(curve.times, -curve.values, -level)
    return Time(value, curve.times[-1], curve.values.min(), f"{curve.name} falls to {level:g}")


ALL = (first_above, first_below)
