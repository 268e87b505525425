"""Runs for other programs: .csv and .parquet as one long table, .nc and .zarr as labelled arrays, each with its record."""

import json
import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import BadInput, StoreFault

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


def export(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    """Write a loaded run to a file whose ending says how; nothing is ever overwritten."""
    writer = require_kind(to)
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        return writer(data, to)
    except OSError as error:
        raise StoreFault(
            needed="an export needs a place that can be written to, with room in it",
            given=f"{to} ({error.strerror or error})",
            cure="Choose another place with --to.",
        ) from error


def require_kind(to: pathlib.Path) -> Callable[["xr.Dataset", pathlib.Path], list[pathlib.Path]]:
    """The writer for a file's ending; other endings and files that exist are refused before any work."""
    if to.suffix not in _WRITERS:
        raise BadInput(
            needed=f"an export ends in {', '.join(_WRITERS)}",
            given=repr(to.name),
            cure="Write for example --to run.csv.",
        )
    if to.exists():
        raise BadInput(needed="an export goes to a new file", given=f"{to}, which exists", cure="Choose another name.")
    return _WRITERS[to.suffix]


def long_table(data: "xr.Dataset") -> "pd.DataFrame":
    """One row for each number: the array's name, its place on every axis, its value."""
    import pandas as pd

    axes = list(dict.fromkeys(axis for array in data.data_vars.values() for axis in array.dims))
    parts = []
    for name, array in data.data_vars.items():
        rows = (
            array.rename("value").to_series().reset_index() if array.ndim else pd.DataFrame({"value": [array.item()]})
        )
        rows.insert(0, "array", name)
        parts.append(rows.assign(value=rows["value"].astype(float)))
    return pd.concat(parts, ignore_index=True).reindex(columns=["array", *axes, "value"])


def _csv(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    beside = to.with_suffix(".csv.json")
    table = long_table(data)
    # A place on an axis is a whole number or a parameter's value; an axis an array does not have is left empty.
    table.to_csv(to, index=False)
    beside.write_text(json.dumps(data.attrs, indent=1), encoding="utf-8")
    return [to, beside]


def _parquet(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(long_table(data), preserve_index=False)
    pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), b"lazyrich": _text(data.attrs)}), to)
    return [to]


def _netcdf(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    data.assign_attrs(_flat(data.attrs)).to_netcdf(to, engine="scipy")
    return [to]


def _zarr(data: "xr.Dataset", to: pathlib.Path) -> list[pathlib.Path]:
    data.to_zarr(to, zarr_format=3, consolidated=False, mode="w-")
    return [to]


def _text(record: Any) -> bytes:
    return json.dumps(record).encode()


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """Attributes as netCDF can hold them: numbers and texts; the rest as JSON."""
    return {
        n: v if isinstance(v, str | int | float) and not isinstance(v, bool) else json.dumps(v)
        for n, v in record.items()
    }


_WRITERS = {".csv": _csv, ".parquet": _parquet, ".nc": _netcdf, ".zarr": _zarr}
