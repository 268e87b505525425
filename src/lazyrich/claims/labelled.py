"""Arithmetic of labelled arrays that judges share: distances along an axis, spreads over draws, powers of a fall."""

import numpy as np


def norm(a, axis: str = "d"):
    """The Euclidean norm along an axis."""
    return (a**2).sum(axis, skipna=False) ** 0.5


def relative_distance(a, b, axis: str = "d"):
    r"""$\|a - b\|_2/\|b\|_2$ along an axis."""
    return norm(a - b, axis) / norm(b, axis)


def spread(a, axis: str):
    """The largest less the smallest along an axis."""
    return a.max(axis, skipna=False) - a.min(axis, skipna=False)


def last_power(a, axis: str):
    r"""The power $r$ of $x^{-r}$ through the last two points along an axis: how fast a quantity falls."""
    x = a[axis]
    rise = float(np.log(x[-1] / x[-2]))
    return np.log(a.isel({axis: -2}) / a.isel({axis: -1})) / rise


def farthest(a, target):
    """The entry farthest from a target; NaN if any is."""
    values = a.values.ravel()
    return values[np.argmax(np.abs(values - target))]
