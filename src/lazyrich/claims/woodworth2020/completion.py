"""What the claims on matrix completion share: where a curve over the scale crosses a level, and the map of both."""

import numpy as np

from ..drawing import Axis, Drawing, Heat, Line, Panel

LINE = "alpha^2 k = 1"


def lifted(data):
    """The scale of the lifted matrix, alpha^2 k, to rounding."""
    return data.alpha**2 * data.width * (1 + 1e-9)


def threshold(curve, level: float):
    """The logarithm of alpha at which a rising curve crosses a level, linear between the cells; NaN where it does not."""
    import xarray as xr

    x = np.log(curve.alpha.values)

    def one(y):
        above = np.flatnonzero((y[1:] >= level) & (y[:-1] < level))
        if above.size == 0:
            return np.nan
        at = above[0]
        return x[at] + (level - y[at]) / (y[at + 1] - y[at]) * (x[at + 1] - x[at])

    return xr.apply_ufunc(one, curve, input_core_dims=[["alpha"]], vectorize=True)


def exponent(log_threshold) -> float:
    """The slope of the threshold against the width, in logarithms."""
    x = np.log(log_threshold.width)
    x = x - x.mean()
    return float((x * log_threshold).sum("width", skipna=False) / (x**2).sum())


def heat(values, name: str, title: str, caption: str, *, high: float) -> Drawing:
    """A map over scale and width, with the line on which the lifted matrix has the size of the data."""
    alpha, width = values.alpha.values, values.width.values
    edge = np.clip(1 / np.sqrt(width), alpha.min(), alpha.max())
    return Drawing(
        panels=[
            Panel(
                [
                    Heat(name, alpha, width, values.transpose("width", "alpha").values, low=0.0, high=high),
                    Line(LINE, edge, width, role="theory"),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("width k", scale="log"),
                title=title,
            )
        ],
        columns=1,
        caption=caption,
    )
