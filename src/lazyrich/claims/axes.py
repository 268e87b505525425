"""Axes that judges make: the places along one, and several arrays side by side."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .labelled import Labelled


def places(a: Any, axis: str) -> Labelled:
    """0, 1, 2 ... along an axis."""
    import xarray as xr

    return xr.DataArray(np.arange(a.sizes[axis]), dims=axis)


def side_by_side(parts: Sequence[Labelled], axis: str) -> Labelled:
    """Several arrays as one, along an axis of its own."""
    import xarray as xr

    return xr.concat(parts, axis)


def along(values: Any, axis: str, labels: Any) -> Labelled:
    """Numbers along an axis with these labels."""
    import xarray as xr

    return xr.DataArray(np.asarray(values, float), dims=axis, coords={axis: list(labels)})
