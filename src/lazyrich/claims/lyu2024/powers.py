"""Powers of alpha where every point has a scale of its own."""

import numpy as np


def last_slope(part, log_alpha):
    r"""The power $r$ of $\alpha^{-r}$ through the last two scales, along the axis `fall`."""
    rise = log_alpha.isel(fall=-1) - log_alpha.isel(fall=-2)
    return np.log(part.isel(fall=-2) / part.isel(fall=-1)) / rise


def farthest_from(part, target):
    """The entry farthest from a target; NaN if any is."""
    values = part.values.ravel()
    return values[np.argmax(np.abs(values - target))]
