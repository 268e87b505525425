"""Points that another sweep of the store has computed already: same experiment, code, precision, seed and values."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import StoreFault
from ..params import Params
from .grid import Grid
from .growing import stored_as

if TYPE_CHECKING:
    from ..store.store import Store


class Known(NamedTuple):
    """Points of a sweep that another one has: their numbers, their arrays, the other's name."""

    index: np.ndarray
    arrays: dict[str, np.ndarray]
    run: str


def known(grid: Grid, record: Mapping[str, Any], store: "Store", missing: np.ndarray) -> Iterator[Known]:
    """What the store has of the missing points, newest sweeps first; each point once."""
    if not missing.any() or not record.get("fingerprint"):
        return
    wanted: dict[tuple, int] | None = None
    for run, other, parts in _others(record, store):
        if wanted is None:
            points = np.flatnonzero(missing)
            wanted = dict(zip(grid.keys(points), points.tolist(), strict=True))
        theirs = Grid(grid.simulation, Params(settled(other["values"]), grid.params.statics))
        if theirs.trials != grid.trials:
            continue
        for index, arrays in parts:
            pairs = [(wanted.pop(key), at) for at, key in enumerate(theirs.keys(index)) if key in wanted]
            if pairs:
                mine, at = (np.array(each) for each in zip(*pairs, strict=True))
                yield Known(mine, {name: part[at] for name, part in arrays.items()}, run)
        if not wanted:
            return


def settled(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as a plan holds them: axes are tuples again."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def _others(record: Mapping[str, Any], store: "Store") -> Iterator[tuple[str, dict[str, Any], Iterator]]:
    """Sweeps of the same fingerprint: those that grow, then those that are finished."""
    for growing in store.growing():
        try:
            if growing.run != record["run"] and growing.record.get("fingerprint") == record["fingerprint"]:
                yield growing.run, growing.record, ((index, arrays) for index, arrays, _ in growing.parts.read())
        except StoreFault:
            continue
    for run in store.like(record["fingerprint"]):
        try:
            data = store.load(run)
        except StoreFault:
            continue
        # One that lacks an array would leave it out of this sweep too.
        if data.attrs.get("kind") == "sweep" and not data.attrs.get("left_out"):
            yield run, data.attrs, iter([_flat(data)])


def _flat(data) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """A finished sweep over one axis of points, without those that failed."""
    axes = tuple(data.attrs["axes"])
    count = int(np.prod([data.sizes[name] for name in axes], dtype=np.int64))
    good = np.setdiff1d(np.arange(count), [int(point) for point in data.attrs["failures"]])
    arrays = {}
    for name, array in data.data_vars.items():
        whole, own = array.values.reshape((count, *array.shape[len(axes) :])), str(name).removesuffix("_read")
        arrays[own if stored_as(own, (*axes, "trial")) == name else str(name)] = whole[good]
    return good, arrays
