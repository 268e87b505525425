"""Milestones of a training, found while it runs: it memorizes the training data, it generalizes."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..forecast.transition import SETTLED, Seen, seen


class MilestoneTracker:
    """Finds milestones in growing curves, by the same definitions that judge forecasts.

    Memorization: the training data are fitted. Generalization: the test curve is halfway from its early to its late level.
    During a training the late level is the forecast one; at the end it is the measured one.
    """

    def __init__(self, measure: str, forecast: Mapping[str, Any] | None):
        """`forecast` gives the levels to expect, if there is one."""
        self.measure = measure
        self.early, late = expected_levels(forecast)
        self.late = late if late is None or measure == "error" else 1.0 - late
        self._curves: dict[str, list[float]] = {"time": [], "train": [], "test": []}
        self.times: dict[str, float] = {}

    def update(self, chunk: dict[str, Any]) -> dict[str, float]:
        """Add a chunk of the curves; returns the new milestones and their times."""
        for name, curve in self._curves.items():
            curve += chunk[name]
        measured, last = self._evaluate(extend=True, early=self.early), self._curves["time"][-1]
        settled = self.late is not None and SETTLED * measured.fit <= last
        times = {"memorization": measured.fit, "generalization": measured.time if settled else math.inf}
        new = {name: time for name, time in times.items() if name not in self.times and time <= last}
        self.times |= new
        return new

    def finish(self) -> Seen:
        """What the whole curves show, with their own early level; the milestones are corrected by it."""
        own_early = self._evaluate(extend=False, early=None).early
        measured = replace(self._evaluate(extend=False, early=self.early), early=own_early)
        times = {"memorization": measured.fit, "generalization": measured.time}
        self.times = {name: time for name, time in times.items() if math.isfinite(time)}
        return measured

    def _evaluate(self, *, extend: bool, early: float | None) -> Seen:
        times, train, test = (np.asarray(self._curves[name]) for name in ("time", "train", "test"))
        if extend and self.late is not None:  # append the forecast late level as the next point
            times, train, test = (np.append(times, 2 * times[-1]), np.append(train, train[-1]), np.append(test, self.late))
        return seen(times, train, test, self.measure, early=early)


def expected_levels(forecast: Mapping[str, Any] | None) -> tuple[float | None, float | None]:
    """The early and the late test error to expect, where a transition is forecast.

    The early level is read off the run, as in the evaluation of forecasts. A slow phase of an l1 or nuclear penalty is
    different: it begins at the forecast fit, and the run passes that level without a plateau.
    """
    if forecast is None or not forecast["will_switch"]:
        return None, None
    early = forecast["early"]["test_error"] if "slow_time" in forecast["details"] else None
    return early, forecast["late"]["test_error"]
