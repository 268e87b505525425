"""A forecast as a record."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Level:
    """The test error of a model early or late in training, and where it is known from.

    `kind` is `solved` (a certified optimum), `measured` (read off a cheap run), `bound` or `unknown` (then the error is None).
    """

    test_error: float | None
    kind: str
    says: str

    def as_json(self, measure: str) -> dict[str, Any]:
        """In the shape that other programs read."""
        found = {"test_error": self.test_error, "kind": self.kind, "says": self.says}
        if measure == "accuracy":
            found["test_accuracy"] = None if self.test_error is None else 1 - self.test_error
        return found


@dataclass(frozen=True)
class Interval:
    """A transition between `low` and `high` in nine of ten cases, most likely at `middle`; in times of a flow or in steps."""

    low: float
    middle: float
    high: float
    unit: str

    def __iter__(self) -> Iterator[float]:
        """Low, middle and high: `low, middle, high = forecast.switch`."""
        return iter((self.low, self.middle, self.high))


@dataclass(frozen=True)
class Forecast:
    """Whether, when and to what test error a training will switch, computed before it; `cost` are the seconds that this took.

    `details` hold what was measured on the way: the degree, the scale `alpha` of the initialization (1 where fitting moves
    the weights by their own size), the width of the transition from a tenth to nine tenths of the change.
    """

    will_switch: bool
    reason: str
    measure: str
    early: Level
    late: Level
    switch: Interval | None
    cost: float
    details: dict[str, Any]

    def as_json(self, setting: str = "", params: dict[str, Any] | None = None) -> dict[str, Any]:
        """In the shape that other programs read."""
        when = self.switch
        return {
            "setting": setting,
            "params": params or {},
            "will_switch": self.will_switch,
            "reason": self.reason,
            "measure": self.measure,
            "early": self.early.as_json(self.measure),
            "late": self.late.as_json(self.measure),
            "switch": None if when is None else {"low": when.low, "middle": when.middle, "high": when.high, "unit": when.unit},
            "details": {name: value if isfinite(value) else None for name, value in self.details.items()},
            "cost_seconds": self.cost,
        }
