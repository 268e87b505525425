"""The transition in a pair of curves: when the data are fitted, the levels before and after, and the time between."""

from dataclasses import dataclass
from typing import Any

import numpy as np

# Training counts as done at this relative error; accuracies have to be 1, up to rounding of a mean.
FITTED = {"accuracy": 1e-9, "error": 1e-2}
# Training counts as lost when its error at the end is above this.
LOST = {"accuracy": 0.05, "error": 0.2}
# Levels nearer than this are one level: five accuracy points, or five hundredths of the squared targets...
APART = 0.05
# ... and a tenth of the larger error.
SHARE = 0.1
# The early level is read at so many times the time of the fit, and not before this share of the run: until then the test
# still moves with the training.
SETTLED, BEGUN = 3.0, 0.02


@dataclass(frozen=True)
class Seen:
    """Of one run: when it fitted (infinite if never), its test errors before and after, and the time of the transition.

    The error is 1 - accuracy, or the relative error. `time` is infinite where nothing switched; `lost` is whether the
    training data are no longer fitted at the end. `width` is the time from a tenth to nine tenths of the change.
    """

    fit: float
    early: float
    late: float
    time: float
    width: float
    lost: bool

    @property
    def switched(self) -> bool:
        """Whether the level changed after the fit."""
        return bool(np.isfinite(self.time))


def errors(values: np.ndarray, measure: str) -> np.ndarray:
    """A curve as errors: 1 - accuracy, or the error itself."""
    return 1 - values if measure == "accuracy" else values


def apart(early: float, late: float, measure: str, *, least: float = APART) -> bool:
    """Whether two test errors differ by more than the test can resolve, and by `least` at least."""
    share = SHARE * max(early, late) if measure == "error" else 0.0
    return abs(early - late) >= max(least, share)


def leaves(times: np.ndarray, test: np.ndarray, early: float, late: float, share: float = 0.5) -> float:
    """The last time at which a curve is on the early side of a level between two, linear between points.

    0 if it never is, infinite if it still is at the end.
    """
    level = early + share * (late - early)
    side = (test - level) * np.sign(early - level) > 0
    if side[-1]:
        return float("inf")
    if not side.any():
        return 0.0
    last = int(np.flatnonzero(side)[-1])
    part = (level - test[last]) / (test[last + 1] - test[last])
    return float(times[last] + part * (times[last + 1] - times[last]))


def seen(times: Any, train: Any, test: Any, measure: str, *, least: float = APART, early: float | None = None) -> Seen:
    """What the curves of a run show; the early level is read off the run, unless it is given."""
    times, train, test = np.asarray(times), errors(np.asarray(train), measure), errors(np.asarray(test), measure)
    fitted = np.flatnonzero(train <= FITTED[measure])
    fit = float(times[fitted[0]]) if fitted.size else float("inf")
    settled = min(max(SETTLED * fit, BEGUN * float(times[-1])), float(times[-1]))
    before = float(np.interp(settled, times, test)) if early is None else early
    after, lost = float(test[-1]), bool(train[-1] > LOST[measure])
    late = times >= (settled if early is None else 0.0)
    time, width = float("inf"), float("nan")
    if fitted.size and late.any() and apart(before, after, measure, least=least):
        shares = [leaves(times[late], test[late], before, after, share) for share in (0.1, 0.5, 0.9)]
        time, width = shares[1], shares[2] - shares[0]
    return Seen(fit, before, after, time, width, lost)
