"""What happens along a training: when the samples are memorized, and when the test curve goes over."""

from typing import Any

import equinox as eqx
import numpy as np

from ..numerics.crossings import first_crossing

# Nearly all labels right, or nearly nothing of the data unexplained.
FITTED = {"accuracy": 0.99, "error": 0.1}
_crossing = eqx.filter_jit(first_crossing)


class Marks:
    """Watches the curves as they grow; each mark is found once, linear between moments.

    Memorization: the training curve reaches 0.99 (an accuracy) or falls to 0.1 (an error). Generalization: the test curve
    is halfway between the early and the late level that were forecast, or, without a forecast, where the training curve
    had to be for memorization.
    """

    def __init__(self, measure: str, count: int, levels: tuple[float, float] | None):
        """`levels` are the early and the late level of the test curve, if they are known and differ."""
        sign = 1.0 if measure == "accuracy" else -1.0
        self._aims = {"memorization": ("train", FITTED[measure], sign), "generalization": ("test", FITTED[measure], sign)}
        if levels is not None:
            early, late = levels
            self._aims["generalization"] = ("test", (early + late) / 2, 1.0 if late > early else -1.0)
        self._times = np.zeros(count)
        self._curves = {name: np.full(count, np.nan) for name in ("train", "test")}
        self.found: dict[str, float] = {}

    def see(self, piece: dict[str, Any]) -> dict[str, float]:
        """Take in a piece of the curves; the marks that are new."""
        end = piece["at"] + len(piece["time"])
        self._times[piece["at"] :] = piece["time"][-1]
        self._times[piece["at"] : end] = piece["time"]
        for name, curve in self._curves.items():
            curve[piece["at"] : end] = piece[name]
        new = {}
        for name in self._aims.keys() - self.found.keys():
            what, level, sign = self._aims[name]
            seen = np.where(np.arange(self._times.size) < end, sign * self._curves[what], -np.inf)
            when = float(_crossing(self._times, seen, sign * level))
            if np.isfinite(when):
                new[name] = when
        self.found |= new
        return new
