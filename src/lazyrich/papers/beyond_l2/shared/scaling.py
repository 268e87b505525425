"""What claims along learning rate and strength share: converged trials, final errors, powers, one panel."""

import numpy as np

from ....claims.base import Reading, at_least
from ....claims.drawing import Panel, Points, Slope
from ....claims.marks import family, log_axis
from ..simulations.sparse_phases import LAST
from .limits import SAME
from .phases import clear

REST = 0.6  # of the horizon: a run that converges before it shows its final error


def settled(theory, *, strength, level, reach):
    """Trials whose slow flow recovers the ground truth and stops well before the horizon, at every strength."""
    weak = clear(theory, strength.max(), level)
    return (theory["recovery_error"] < SAME) & (theory["extinction"] < REST * reach) & weak


def enough(good) -> Reading:
    """That some trials can be tested."""
    return at_least(
        r"fraction of trials whose ground truth has minimum $\ell_1$ norm and is recovered in time",
        good.mean(),
        0.3,
        key="testable",
        why="the other trials are not recovered at all; a third of the trials is enough",
    )


def last_error(data):
    """The final recovery error: the median of the last saved steps."""
    return data.recovery.isel(t=slice(-LAST, None)).median("t")


def power(a, axis: str):
    """The power of a parameter in a quantity, from the first of its values to the last."""
    rise = float(np.log(a[axis][-1] / a[axis][0]))
    return np.log(a.isel({axis: -1}) / a.isel({axis: 0})) / rise


def fitted_power(times, clocks):
    """The power of clocks in times, by least squares over learning rates and strengths; infinite where a time is."""
    over = [axis for axis in ("learning_rate", "strength") if axis in clocks.dims]
    known = np.isfinite(times).all(over)
    x = np.log(clocks) - np.log(clocks).mean(over)
    return ((x * np.log(times.where(known, 1.0))).sum(over) / (x**2).sum(over)).where(known, np.inf)


def against_product(a, good, *, name: str, exponent: int, at: int = 0) -> Panel:
    r"""Medians over trials against $\alpha\beta$, a series for each learning rate, beside a power law.

    The law is drawn through the first learning rate and the strength at place `at`.
    """
    product, middle = a.learning_rate * a.strength, a.where(good).median("trial")
    marks = family(r"$\alpha = {}$", product, middle, "learning_rate", mark=Points)
    through = [float(part.isel(learning_rate=0, strength=at)) for part in (product, middle)]
    law = Slope(f"slope {exponent}", [float(product.min()), float(product.max())], (through[0], through[1]), exponent)
    return Panel([*marks, law], log_axis(r"learning rate $\times$ strength, $\alpha\beta$"), log_axis(name))
