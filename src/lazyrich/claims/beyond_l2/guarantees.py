"""What the guarantees for descent on a sum of squares and a norm share: the best so far, their bounds, and one drawing."""

import numpy as np

from ..base import Reading, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel


def so_far(a, best):
    """The least (`np.minimum`) or largest (`np.maximum`) up to each step but the last."""
    values = best.accumulate(a.transpose(..., "t").values, axis=-1)
    return a.transpose(..., "t").copy(data=values).isel(t=slice(None, -1))


def taken(data):
    """Sums of rates and of their squares after each step."""
    return data.total.isel(t=slice(1, None)), data.squares.isel(t=slice(1, None))


def subgradient_bound(data):
    r"""$(R^2 + L^2\sum\alpha_t^2)/2\sum\alpha_t$ with the largest slope met so far."""
    total, squares = taken(data)
    return (data.distance + so_far(data.subgradient_slope, np.maximum) ** 2 * squares) / (2 * total)


def readings(gap, bound, constant, *, tight: float, why: str) -> list[Reading]:
    """The bound without tolerance, and how near it is met."""
    used = (gap / (constant * bound)).max("t")
    return [
        at_most("largest gap over its bound", used.max(), 1, why="the theorem, no tolerance"),
        at_least("largest gap over its bound, the median draw", used.median(), tight, why=f"tightness: {why}"),
    ]


def draw_gap(gap, bound, *, name: str, caption: str) -> Drawing:
    """The gap of one draw beside its bound, a panel for each strength."""
    panels = []
    for strength in gap.strength.values:
        one, top = (part.sel(strength=strength) for part in (gap, bound))
        x = np.arange(1, one.sizes["t"] + 1)
        shown = np.unique(np.geomspace(1, x.size, 300).astype(int)) - 1
        y = np.where(one.values > 0, one.values, np.nan)
        panels.append(
            Panel(
                [Line("descent", x[shown], y[shown]), Line("bound", x[shown], top.values[shown], role="theory")],
                x=Axis("steps", scale="log"),
                y=Axis(name, scale="log"),
                title=f"strength {float(strength):g}",
            )
        )
    return Drawing(panels, caption=caption)


def pick(a):
    """One draw without decay at a constant rate."""
    return a.isel({axis: 0 for axis in ("trial", "decay", "fading") if axis in a.dims})
