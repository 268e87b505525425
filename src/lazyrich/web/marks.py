"""What happens along a training, told as it happens: the samples are memorized, the test curve goes over."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..lab.forecasting.switch import SETTLED, Seen, seen


class Marks:
    """Watches the curves as they grow, with the eyes that judge forecasts.

    Memorization: the training is fitted. Generalization: the test is halfway from its early level to its last one. While a
    training runs that last level is the one that was forecast; at the end it is the one that was reached.
    """

    def __init__(self, measure: str, forecast: Mapping[str, Any] | None):
        """What is to be seen depends on what was forecast, if anything was."""
        self.measure = measure
        self.early, late = levels(forecast)
        self.late = late if late is None or measure == "error" else 1.0 - late
        self._curves: dict[str, list[float]] = {"time": [], "train": [], "test": []}
        self.found: dict[str, float] = {}

    def see(self, piece: dict[str, Any]) -> dict[str, float]:
        """Take in a piece of the curves; the marks that are new."""
        for name, curve in self._curves.items():
            curve += piece[name]
        told, last = self._seen(ahead=True, early=self.early), self._curves["time"][-1]
        settled = self.late is not None and SETTLED * told.fit <= last
        times = {"memorization": told.fit, "generalization": told.time if settled else math.inf}
        new = {name: when for name, when in times.items() if name not in self.found and when <= last}
        self.found |= new
        return new

    def settle(self) -> Seen:
        """What the whole curves say, with the early level they had themselves; the marks are set right by it."""
        told = replace(self._seen(ahead=False, early=self.early), early=self._seen(ahead=False, early=None).early)
        times = {"memorization": told.fit, "generalization": told.time}
        self.found = {name: when for name, when in times.items() if math.isfinite(when)}
        return told

    def _seen(self, *, ahead: bool, early: float | None) -> Seen:
        times, train, test = (np.asarray(self._curves[name]) for name in ("time", "train", "test"))
        if ahead and self.late is not None:  # the last level, as if it came next
            times, train, test = (
                np.append(times, 2 * times[-1]),
                np.append(train, train[-1]),
                np.append(test, self.late),
            )
        return seen(times, train, test, self.measure, early=early)


def levels(told: Mapping[str, Any] | None) -> tuple[float | None, float | None]:
    """The early and the late miss of the test to look for, where a switch was forecast.

    The early level is read off the run, as where forecasts are held to account; but a slow phase, of l1 or nuclear, begins at
    the fit it was forecast from, which a run passes without a stop.
    """
    if told is None or not told["will_switch"]:
        return None, None
    early = told["early"]["test_error"] if "slow_time" in told["details"] else None
    return early, told["late"]["test_error"]
