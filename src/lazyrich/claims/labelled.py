"""Arithmetic of labelled arrays that judges share: distances along an axis, spreads over draws, powers of a fall."""

from typing import Any

import numpy as np

Labelled = Any
"""An xarray DataArray. Type checkers take what numpy makes of one for a plain array."""


def norm(a: Labelled, axis: str = "d") -> Labelled:
    """The Euclidean norm along an axis."""
    return (a**2).sum(axis, skipna=False) ** 0.5


def relative_distance(a: Labelled, b: Labelled, axis: str = "d") -> Labelled:
    r"""$\|a - b\|_2/\|b\|_2$ along an axis."""
    return norm(a - b, axis) / norm(b, axis)


def spread(a: Labelled, axis: str) -> Labelled:
    """The largest less the smallest along an axis."""
    return a.max(axis, skipna=False) - a.min(axis, skipna=False)


def last_power(a: Labelled, axis: str) -> Labelled:
    r"""The power $r$ of $x^{-r}$ through the last two points along an axis: how fast a quantity falls."""
    x = a[axis]
    rise = float(np.log(x[-1] / x[-2]))
    return np.log(a.isel({axis: -2}) / a.isel({axis: -1})) / rise


def farthest(a: Labelled, target: int | float) -> float:
    """The entry farthest from a target; NaN if any is."""
    values = a.values.ravel()
    return values[np.argmax(np.abs(values - target))]
