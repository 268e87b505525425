"""Runs for other programs: .csv and .parquet as one long table, .nc and .zarr as labelled arrays, each with its record."""

import contextlib
import json
import pathlib
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...errors import BadInput, StoreFault
from ..optional_packages import require

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

# The whole numbers of netCDF, and so of its attributes, have 32 bits.
_WIDE = 2**31


def export(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    """Write a loaded run to a file whose ending says how; nothing is ever overwritten."""
    writer = require_kind(to)
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        return writer(data, to)
    except BaseException as error:
        # No half of a file: it would look like a whole one, and stand in the way of another try.
        for path in _taken_by(to):
            shutil.rmtree(path, ignore_errors=True)
            with contextlib.suppress(OSError):
                path.unlink()
        if not isinstance(error, OSError):
            raise
        raise StoreFault(
            needed="an export needs a place that can be written to, with room in it",
            given=f"{to} ({error.strerror or error})",
            cure="Choose another place with --to.",
        ) from error


def require_kind(to: pathlib.Path) -> Callable[["xr.Dataset", pathlib.Path], list[pathlib.Path]]:
    """The writer for a file's ending; other endings and files that exist are refused before any work."""
    if to.suffix not in _WRITERS:
        raise BadInput(
            needed=f"an export ends in {', '.join(_WRITERS)}", given=repr(to.name), cure="Write for example --to run.csv."
        )
    if to.suffix == ".parquet":
        require("parquet", "pyarrow", what="a .parquet file")
    for path in _taken_by(to):
        if path.exists():
            raise BadInput(needed="an export goes to a new file", given=f"{path}, which exists", cure="Choose another name.")
    return _WRITERS[to.suffix]


def _taken_by(to: pathlib.Path) -> list[pathlib.Path]:
    """The file, and for a table of plain text the record beside it."""
    return [to, to.with_suffix(".csv.json")] if to.suffix == ".csv" else [to]


def long_table(data: "xr.Dataset") -> "pd.DataFrame":
    """One row for each number: the array's name, its place on every axis, its value."""
    import pandas as pd

    axes = list(dict.fromkeys(axis for array in data.data_vars.values() for axis in array.dims))
    parts = []
    for name, array in data.data_vars.items():
        rows = array.rename("value").to_series().reset_index() if array.ndim else pd.DataFrame({"value": [array.item()]})
        # An axis that an array does not have is left empty; places on the others stay whole numbers.
        whole = {axis: "Int64" for axis in array.dims if rows[axis].dtype.kind in "iu"}
        rows = rows.astype(whole)
        rows.insert(0, "array", name)
        parts.append(rows.assign(value=rows["value"].astype(float)))
    return pd.concat(parts, ignore_index=True).reindex(columns=["array", *axes, "value"])


def _csv(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    _, beside = _taken_by(to)
    long_table(data).to_csv(to, index=False)
    beside.write_text(json.dumps(data.attrs, indent=1), encoding="utf-8")
    return [to, beside]


def _parquet(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(long_table(data), preserve_index=False)
    pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), b"lazyrich": _text(data.attrs)}), to)
    return [to]


def _netcdf(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    """The oldest netCDF, which everything reads: it has no whole numbers beyond 32 bits, so those become floats."""
    wide = {
        name: array.astype(float)
        for name, array in data.variables.items()
        if array.dtype.kind in "iu" and array.size and abs(array).max() >= _WIDE
    }
    data.assign(wide).assign_attrs(_flat(data.attrs)).to_netcdf(to, engine="scipy")
    return [to]


def _zarr(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    data.to_zarr(to, zarr_format=3, consolidated=False, mode="w-")
    return [to]


def _text(record: Any) -> bytes:
    return json.dumps(record).encode()


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """Attributes as netCDF can hold them: numbers and texts; the rest as JSON."""

    def fits(value: Any) -> bool:
        whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _WIDE
        return whole or isinstance(value, str | float)

    return {name: value if fits(value) else json.dumps(value) for name, value in record.items()}


_WRITERS = {".csv": _csv, ".parquet": _parquet, ".nc": _netcdf, ".zarr": _zarr}
