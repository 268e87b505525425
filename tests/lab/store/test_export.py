import csv
import errno
import json
import os

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import xarray as xr

from lazyrich.errors import BadInput, StoreFault
from lazyrich.lab.store.export import export, long_table

KINDS = ("csv", "parquet", "nc", "zarr")
RECORD = {
    "id": "paper2020/item",
    "run": "20260101-000000-abcd",
    "seed": 2**32 - 1,
    "seconds": 1 / 3,
    "reason": "größer als ∞",
    "note": "",
    "commit": None,
    "params": {"alpha": [0.1, 3.0], "n": 3},
    "holds": [{"name": "gap", "value": "never", "ok": False}],
    "least": -1.7976931348623157e308,
}
DATA = xr.Dataset(
    {
        "time": (("alpha", "t"), np.array([[1 / 3, np.nan, np.inf], [-1e-310, -np.inf, 1e308]])),
        "steps": (("n", "t"), np.array([[1, -2, 2**40]])),
        "applies": ("t", np.array([True, False, True])),
        "end": ((), 0.1 + 0.2),
    },
    coords={"alpha": [0.1, 3.0], "n": [30]},
    attrs=RECORD,
)


def from_table(table: pd.DataFrame) -> xr.Dataset:
    """The arrays that a long table tells of."""
    found = {}
    for name, array in DATA.data_vars.items():
        rows = table[table["array"] == name]
        assert len(rows) == array.size
        for axis in DATA.dims:
            if axis not in array.dims:
                assert rows[axis].isna().all()
        found[name] = (array.dims, rows["value"].to_numpy(float).reshape(array.shape))
        for at, axis in enumerate(array.dims):
            places = np.broadcast_to(np.expand_dims(DATA[axis], [i for i in range(array.ndim) if i != at]), array.shape)
            np.testing.assert_array_equal(rows[axis].to_numpy(float), places.ravel())
    return xr.Dataset(found)


def read(path) -> tuple[xr.Dataset, dict]:
    """What another program reads, without this library: the numbers and the record."""
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            rows = [{n: v if n == "array" else float(v or "nan") for n, v in row.items()} for row in csv.DictReader(file)]
        return from_table(pd.DataFrame(rows)), json.loads(path.with_suffix(".csv.json").read_text(encoding="utf-8"))
    if path.suffix == ".parquet":
        table = pq.read_table(path)
        return from_table(table.to_pandas()), json.loads(table.schema.metadata[b"lazyrich"])
    if path.suffix == ".nc":
        found = xr.load_dataset(path, engine="scipy")
        return found, {n: _decoded(n, v) for n, v in found.attrs.items()}
    with xr.open_zarr(path, consolidated=False, chunks=None) as found:
        return found.load(), found.attrs


def _decoded(name, value):
    kept = isinstance(RECORD[name], str | float)
    return value.item() if hasattr(value, "item") else value if kept else json.loads(value)


@pytest.mark.parametrize("kind", KINDS)
def test_the_numbers_and_the_record_are_read_back(tmp_path, kind):
    paths = export(DATA, tmp_path / "new" / f"run.{kind}")
    assert sorted(paths) == sorted((tmp_path / "new").iterdir())
    found, record = read(paths[0])
    assert record == RECORD
    for name, array in DATA.data_vars.items():
        assert found[name].dims == array.dims
        np.testing.assert_array_equal(found[name].values.astype(float), array.values.astype(float), strict=True)
    if kind == "zarr":
        assert [found[name].dtype for name in DATA] == [DATA[name].dtype for name in DATA]
    if kind in ("nc", "zarr"):
        assert found.alpha.values.tolist() == [0.1, 3.0] and found.n.values.tolist() == [30]
        assert found.applies.dtype == bool


def test_places_on_an_axis_stay_whole_numbers(tmp_path):
    assert [str(long_table(DATA)[axis].dtype) for axis in ("alpha", "t", "n")] == ["float64", "Int64", "Int64"]
    lines = export(DATA, tmp_path / "run.csv")[0].read_text().splitlines()
    assert lines[0] == "array,alpha,t,n,value" and lines[3] == "time,0.1,2,,inf" and lines[-1].startswith("end,,,,0.3")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_overwritten(tmp_path, kind):
    there = tmp_path / f"run.{kind}"
    there.write_text("mine")
    with pytest.raises(BadInput, match="which exists. Choose another name"):
        export(DATA, there)
    assert there.read_text() == "mine"


def test_the_record_beside_a_table_is_not_overwritten_either(tmp_path):
    (tmp_path / "run.csv.json").write_text("mine")
    with pytest.raises(BadInput, match="run.csv.json, which exists"):
        export(DATA, tmp_path / "run.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["run.csv.json"]
    assert (tmp_path / "run.csv.json").read_text() == "mine"


@pytest.mark.parametrize("name", ["run.xlsx", "run", "run.csv.gz", "csv", ".csv"])
def test_an_unknown_ending_is_refused(tmp_path, name):
    with pytest.raises(BadInput, match="ends in .csv, .parquet, .nc, .zarr"):
        export(DATA, tmp_path / "new" / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_that_cannot_be_written_to_is_said(tmp_path, kind):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreFault, match="an export needs a place.*--to"):
        export(DATA, tmp_path / "file" / f"run.{kind}")
    assert (tmp_path / "file").read_text() == "no folder"


@pytest.mark.parametrize(
    ("kind", "writer"),
    [
        ("csv", "pathlib.Path.write_text"),
        ("parquet", "pyarrow.parquet.write_table"),
        ("nc", "xarray.Dataset.to_netcdf"),
        ("zarr", "xarray.Dataset.to_zarr"),
    ],
)
def test_a_full_disk_leaves_no_half_of_a_file(tmp_path, monkeypatch, kind, writer):
    to = tmp_path / f"run.{kind}"

    def full(*args, **options):
        to.mkdir() if kind == "zarr" else to.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(writer, full)
    with pytest.raises(StoreFault, match="No space left on device"):
        export(DATA, to)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    export(DATA, to)
