"""What figures and laws along rate and strength share: settled draws, last errors, powers, drawings."""

import numpy as np

from ...lab.settings.sparse_phases import LAST
from ..base import Reading, at_least
from ..drawing import SERIES, Axis, Panel, Points, Slope
from .limits import SAME
from .phases import clear

REST = 0.6  # of the horizon: from there on a settled run shows its last error


def settled(told, *, strength, level, reach):
    """Draws whose truth the slow flow has found and come to rest at well before the horizon, at every strength."""
    weak = clear(told, strength.max(), level)
    return (told["missed"] < SAME) & (told["extinction"] < REST * reach) & weak


def enough(good) -> Reading:
    """That some draws can be judged."""
    return at_least(
        "share of draws whose truth has the least l1 norm and is found in time",
        good.mean(),
        0.3,
        why="where it is not, there is nothing to find; a third of the draws is enough to judge by",
    )


def last_error(data):
    """The recovery error at the end: the median of the last readings."""
    return data.recovery.isel(t=slice(-LAST, None)).median("t")


def power(a, axis: str):
    """The power of a parameter in a quantity, from the first of its values to the last."""
    rise = float(np.log(a[axis][-1] / a[axis][0]))
    return np.log(a.isel({axis: -1}) / a.isel({axis: 0})) / rise


def against_product(a, good, *, name: str, exponent: int) -> Panel:
    """Medians over draws against rate x strength, a series for each rate, beside a power of it."""
    marks, middle = [], a.where(good).median("trial")
    for rate, role in zip(a.rate.values, SERIES, strict=False):
        x = float(rate) * a.strength.values
        marks.append(Points(f"rate {float(rate):g}", x, middle.sel(rate=rate).values, role=role))
    all_x = np.outer(a.rate.values, a.strength.values).ravel()
    low, first = all_x.min(), float(middle.isel(rate=0, strength=0))
    through = (float(a.rate.values[0] * a.strength.values[0]), first)
    return Panel(
        [*marks, Slope(f"power {exponent}", [low, all_x.max()], through, exponent)],
        x=Axis("rate x strength", scale="log"),
        y=Axis(name, scale="log"),
    )
