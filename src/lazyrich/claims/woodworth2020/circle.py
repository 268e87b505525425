"""What figures 6a and 6b share: curves over the depth-adjusted scale, medians over draws, slopes at the top."""

import numpy as np

from ..base import at_least
from ..drawing import Axis, Band, Line, Role

# The most that may be left of the labels' sum of squares for a run to count as interpolating: at most 1e-3 of a label.
LEFT = 1e-6


def fitted(data, n):
    """Which runs interpolate."""
    return data.loss <= LEFT * n * data.chance


def medians(values, data, n):
    """The median over the draws that interpolate."""
    return values.where(fitted(data, n)).median("trial")


def top_slope(values, data, n):
    r"""The slope in $\alpha^D$, on logarithmic axes, between the two largest scales: the median over draws."""
    logs = np.log(values.where(fitted(data, n)))
    steps = np.log(data.alpha.isel(alpha=-1) / data.alpha.isel(alpha=-2)) * data.depth
    return (logs.isel(alpha=-1, drop=True) - logs.isel(alpha=-2, drop=True)).median("trial") / steps


def instruments(data, n):
    """Most runs interpolate: a pair of points that nearly coincide with a kink between them makes the others hard."""
    return [
        at_least(
            "share of runs that interpolate",
            fitted(data, n).mean(),
            0.6,
            why="medians are of these; hard draws, one in ten, have two points closer than a hundredth with a kink between",
        )
    ]


def curves(values, data, n, *, unbiased):
    """A line and the spread over draws for each depth, with doubling as measured, without it as the control."""
    kept = values.where(fitted(data, n))
    marks = []
    roles: tuple[tuple[float, Role], ...] = ((unbiased, "measured"), (1.0 - unbiased, "control"))
    for depth in data.depth.values:
        for doubling, role in roles:
            one = kept.sel(depth=depth, doubling=doubling)
            x = data.alpha.values ** int(depth)
            name = f"D = {int(depth)}, {'doubled' if doubling == 1 else 'alone'}"
            low, high = (one.quantile(q, "trial").values for q in (0.25, 0.75))
            marks += [Band("", x, low, high, role=role), Line(name, x, one.median("trial").values, role=role)]
    return marks


SCALE = Axis("alpha^D", scale="log")
