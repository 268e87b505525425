import errno
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys

import numpy as np
import pytest
import xarray as xr

from lazyrich.errors import StoreFault
from lazyrich.lab.store import archive

RECORD = {"id": "a/b", "params": {"alpha": [0.1, 3.0]}, "reason": "größer als ∞", "drawing": None, "load": [1.5, 2]}


def make() -> xr.Dataset:
    """Every kind of number that a claim keeps, in an order that no alphabet gives."""
    wild = np.array([[0.1, np.nan, np.inf], [-0.0, -np.inf, 5e-324]])
    return xr.Dataset(
        {
            "time": (("alpha", "t"), wild),
            "steps": ("t", np.array([1, -2, 2**62])),
            "applies": ("t", np.array([True, False, True])),
            "end": ((), 1 / 3),
            "zeros": ("alpha", np.zeros(2)),
            "below": ("alpha", -np.zeros(2)),
            "lost": ("alpha", np.full(2, np.nan)),
            "nothing": ("d", np.zeros(0)),
            "single": ("t", np.ones(3, np.float32)),
        },
        coords={"alpha": [0.1, 3.0], "unused": [1, 2, 3, 4], "label": 7.0},
        attrs={"history": "not ours"},
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return archive.write(tmp_path_factory.mktemp("runs"), "run", make(), RECORD)


@pytest.fixture
def path(written, tmp_path):
    return shutil.copytree(written, tmp_path / "run.zarr")


def test_a_run_comes_back_as_it_was_written(path):
    data, found = make(), archive.read(path)
    assert list(found.data_vars) == list(data.data_vars) and set(found.coords) == set(data.coords)
    for name, array in data.variables.items():
        again = found.variables[name]
        assert (again.dims, again.dtype, again.shape) == (array.dims, array.dtype, array.shape), name
        assert again.values.tobytes() == array.values.tobytes(), name
    assert found.attrs == {**RECORD, "run": "run", "format": archive.FORMAT}


def test_what_is_loaded_can_be_written_again(path, tmp_path):
    again = archive.read(archive.write(tmp_path, "other", archive.read(path), RECORD))
    xr.testing.assert_equal(again, archive.read(path))


def test_a_run_has_its_name_only_when_it_is_whole(tmp_path, monkeypatch):
    seen = []
    rename = pathlib.Path.rename

    def look(part, whole):
        seen.append([entry.name for entry in tmp_path.iterdir()])
        assert archive.attributes(part)["id"] == "a/b"
        return rename(part, whole)

    monkeypatch.setattr(pathlib.Path, "rename", look)
    archive.write(tmp_path, "run", make(), RECORD)
    assert seen == [[f"run.{socket.gethostname()}.{os.getpid()}.part"]]
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.zarr"]


def arrays(path: pathlib.Path) -> list[pathlib.Path]:
    return sorted(file for file in path.rglob("*") if file.is_file() and file.parent != path)


def test_every_file_is_watched(path):
    """Each file in turn: one byte changed, cut short, taken away."""
    for file in arrays(path):
        name, whole = file.relative_to(path).as_posix(), file.read_bytes()
        for broken in (bytes([whole[0] ^ 1]) + whole[1:], whole[:-1], whole + b" "):
            file.write_bytes(broken)
            with pytest.raises(StoreFault, match=f"run run, of which {name} is changed"):
                archive.read(path)
        file.unlink()
        with pytest.raises(StoreFault, match=f"{name} is missing.*Restore"):
            archive.verify(path)
        file.write_bytes(whole)
    archive.verify(path)


def change(path: pathlib.Path, **attributes) -> None:
    group = json.loads((path / "zarr.json").read_text())
    group["attributes"] |= attributes
    (path / "zarr.json").write_text(json.dumps(group))


@pytest.mark.parametrize(
    "attributes", [{"verdict": "holds"}, {"params": {"alpha": [0.1, 3.1]}}, {"digests": {}}, {"seal": "0" * 32}]
)
def test_a_changed_record_is_found(path, attributes):
    change(path, **attributes)
    for look in (archive.attributes, archive.verify, archive.read):
        with pytest.raises(StoreFault, match="its record was changed"):
            look(path)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", "null", '{"attributes": 3}', '{"attributes": ["a"]}', '{"attributes": {"format": "x"}}', "\xff"]
)
def test_a_record_that_is_none_is_named_as_damaged(path, text):
    (path / "zarr.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(StoreFault, match="run run, of which zarr.json cannot be read"):
        archive.read(path)


def test_every_shortened_record_is_named_as_damaged(path):
    whole = (path / "zarr.json").read_bytes()
    for length in range(0, len(whole), 97):
        (path / "zarr.json").write_bytes(whole[:length])
        with pytest.raises(StoreFault, match="run run, of which"):
            archive.attributes(path)


def test_a_run_of_the_future_is_refused(path):
    change(path, format=archive.FORMAT + 1)
    with pytest.raises(StoreFault, match="run.zarr in format 2. Upgrade lazyrich"):
        archive.attributes(path)


def test_a_file_that_cannot_be_read_is_said(path, monkeypatch):
    def refuse(file):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(pathlib.Path, "read_bytes", refuse)
    with pytest.raises(StoreFault, match="Permission denied"):
        archive.verify(path)


def test_leftovers_are_those_of_dead_processes_of_this_machine(tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    here = socket.gethostname()
    dead = f"a.{here}.{gone.pid}.part"
    others = [f"b.{here}.{os.getpid()}.part", f"c.{here}.1.part", f"d.elsewhere.org.{gone.pid}.part", "e.part", "f.zarr"]
    for name in (dead, *others):
        (tmp_path / name).mkdir()
        (tmp_path / name / "zarr.json").touch()
    assert [path.name for path in archive.leftovers(tmp_path)] == [dead]
    archive.sweep_out(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(others)


@pytest.mark.parametrize("what", ["xarray.Dataset.to_zarr", "pathlib.Path.write_text", "pathlib.Path.rename"])
def test_a_full_disk_is_a_fault_of_the_store_and_leaves_nothing(tmp_path, monkeypatch, what):
    def full(*args, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(what, full)
    with pytest.raises(StoreFault, match="No space left on device.*--store"):
        archive.write(tmp_path, "run", make(), RECORD)
    assert list(tmp_path.iterdir()) == []


def test_what_else_goes_wrong_leaves_nothing_either(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="JSON"):
        archive.write(tmp_path, "run", make(), {"seconds": float("nan")})

    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(pathlib.Path, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        archive.write(tmp_path, "run", make(), RECORD)
    assert list(tmp_path.iterdir()) == []
