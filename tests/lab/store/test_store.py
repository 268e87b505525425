import json
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from lazyrich.errors import BadInput, StoreFault
from lazyrich.lab import Store

DATA = xr.Dataset({"end": (("alpha", "t"), np.arange(6.0).reshape(2, 3))}, coords={"alpha": [0.1, 1.0]})


def record(seed: int = 0, **more) -> dict:
    return {
        "id": "paper2020/item",
        "seed": seed,
        "verdict": "holds",
        "params": {"alpha": [0.1, 1.0], "decay": 1e-3},
        "holds": [{"name": "relative distance", "value": 10.0**-seed}, {"name": "time", "value": "never"}],
        "sound": [],
        "fingerprint": f"f{seed}",
        **more,
    }


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A store with three runs, made one after another without a pause."""
    store = Store(tmp_path_factory.mktemp("store"))
    return store, [store.add(DATA, record(seed)) for seed in range(3)]


@pytest.fixture
def store(three, tmp_path):
    """A store of one's own with the same runs, and their names."""
    kept, runs = three
    return Store(shutil.copytree(kept.folder, tmp_path / "store")), runs


def seeds(rows: list[dict]) -> list[int]:
    return [row["seed"] for row in rows]


def test_what_is_added_is_listed_and_loaded(three):
    kept, runs = three
    assert Store(kept.folder).names() == runs == sorted(runs)
    rows = Store(kept.folder).rows()
    assert [row["run"] for row in rows] == runs and seeds(rows) == [0, 1, 2]
    assert rows[0]["params"] == record()["params"] and "damaged" not in rows[0]
    data = kept.load(runs[1])
    xr.testing.assert_equal(data, DATA)
    assert data.attrs["seed"] == 1 and data.attrs["run"] == runs[1]
    assert data.attrs["created"].replace("-", "")[:8] == runs[1][:8]
    assert sorted(path.name for path in kept.folder.iterdir()) == ["catalogue.sqlite", "runs"]


def test_a_run_is_found_by_the_end_the_beginning_or_its_place_in_time(three):
    kept, runs = three
    for run in runs:
        assert kept.path(run[-4:]) == kept.path(run) == kept.path(run[4:]) == kept.path(run[:-1])
    assert kept.path("latest") == kept.path(runs[2])


def test_a_name_that_fits_several_or_none_is_refused(three):
    kept, runs = three
    with pytest.raises(BadInput, match=f"fits {', '.join(runs)}. Give more of it"):
        kept.path(runs[0][:4])
    for name in ("nothing", "", "../runs", f"../{runs[0]}", f"{runs[0]}.zarr", "*"):
        with pytest.raises(BadInput, match="lists 3 of them"):
            kept.load(name)
    with pytest.raises(BadInput, match="There are none yet"):
        Store(kept.folder / "elsewhere").load("latest")


def test_the_same_configuration_is_found(three):
    kept, runs = three
    assert kept.like("f1") == [runs[1]] and kept.like("f9") == [] and Store("nowhere").like("f1") == []


def test_a_run_whose_name_is_taken_gets_another(tmp_path, monkeypatch):
    store, moments = Store(tmp_path), iter([1e9 + 0.5, 1e9 + 0.5, 1e9 + 0.75])
    clock = SimpleNamespace(time=lambda: next(moments), gmtime=time.gmtime, strftime=time.strftime, time_ns=time.time_ns)
    monkeypatch.setattr("lazyrich.lab.store.store.time", clock)
    assert [store.add(DATA, record()) for _ in range(2)] == ["20010909-014640-8000", "20010909-014640-c000"]


def test_rows_are_found_by_a_word_and_by_a_question(three):
    kept, runs = three
    assert seeds(kept.find("ITEM")) == [0, 1, 2] and seeds(kept.find(runs[1])) == [1] and kept.find("other") == []
    assert seeds(kept.find(where="seed > 0 and alpha < 0.5")) == [1, 2]
    assert seeds(kept.find(where="holds['relative distance'] < 0.5 and holds['time'] > 1e9")) == [1, 2]
    assert seeds(kept.find("item", "decay == 1e-3 and seed == 2")) == [2]
    assert "decay" not in kept.find()[0] and "holds" not in kept.find()[0]
    with pytest.raises(BadInput, match="Did you mean decay"):
        kept.find(where="deccay > 1")
    with pytest.raises(BadInput, match="--where compares"):
        Store("nowhere").find(where="open('x')")


def test_a_folder_that_has_not_changed_is_not_looked_through_again(store, monkeypatch):
    """What is added or removed by hand changes it, and is found."""
    kept, runs = store
    monkeypatch.setattr("lazyrich.lab.store.store.QUIET", 0)
    kept.rows()
    assert kept.catalogue.seen == kept.runs.stat().st_mtime_ns
    with monkeypatch.context() as patch:
        patch.setattr(Store, "_there", lambda self: pytest.fail("looked through again"))
        assert [row["run"] for row in Store(kept.folder).find(where="seed >= 1")] == runs[1:]
        assert kept.like("f1") == [runs[1]]
    shutil.copytree(kept.path(runs[0]), kept.runs / "copy.zarr")
    assert sorted(row["run"] for row in kept.rows()) == [*runs, "copy"]
    shutil.rmtree(kept.path(runs[1]))
    for _ in range(2):
        assert [row.get("damaged") for row in kept.find(where="seed == 1")] == ["its folder is gone"]


def test_a_folder_that_changed_just_now_may_change_again(store):
    kept, _ = store
    (kept.runs / "now").mkdir()
    kept.rows()
    assert kept.catalogue.seen != kept.runs.stat().st_mtime_ns


def test_a_lost_catalogue_is_made_anew(store):
    kept, runs = store
    before = kept.rows(readings=True)
    for path in kept.folder.glob("catalogue*"):
        path.unlink()
    again = Store(kept.folder)
    assert again.rows(readings=True) == before and again.like("f1") == [runs[1]]


def test_a_run_without_a_row_is_taken_in(store):
    kept, runs = store
    with closing(sqlite3.connect(kept.folder / "catalogue.sqlite")) as connection, connection:
        connection.execute("DELETE FROM runs WHERE run = ?", (runs[1],))
    assert kept.like("f1") == [runs[1]] and [row["run"] for row in kept.rows()] == runs
    with closing(sqlite3.connect(kept.folder / "catalogue.sqlite")) as connection, connection:
        connection.execute("DELETE FROM runs")
    Store(kept.folder).require_writable()
    assert kept.catalogue.runs() == set(runs)


def test_a_run_that_was_copied_by_hand_is_listed_by_its_own_name(store):
    kept, runs = store
    shutil.copytree(kept.path(runs[0]), kept.runs / "copy.zarr")
    assert sorted(row["run"] for row in kept.rows()) == [*runs, "copy"] == kept.names()
    assert kept.load("copy").attrs["seed"] == 0


def test_a_run_removed_by_hand_is_damaged_and_the_others_are_listed(store):
    kept, runs = store
    shutil.rmtree(kept.path(runs[1]))
    for rows in (kept.rows(), kept.find()):
        assert [row.get("damaged") for row in rows] == [None, "its folder is gone", None]
    assert kept.health()["damaged"] == {runs[1]: "its folder is gone"} and kept.like("f1") == []
    with pytest.raises(BadInput, match="lists 2 of them"):
        kept.load(runs[1])


def test_a_broken_record_without_a_row_is_damaged_and_the_others_are_listed(store):
    kept, runs = store
    root = kept.path(runs[1]) / "zarr.json"
    root.write_bytes(root.read_bytes()[:100])
    (kept.folder / "catalogue.sqlite").unlink()
    again = Store(kept.folder)
    for rows in (again.rows(), again.find()):
        assert [row["run"] for row in rows] == runs
        assert ["damaged" in row for row in rows] == [False, True, False] and runs[1] in rows[1]["damaged"]
    assert list(again.health()["damaged"]) == [runs[1]]
    assert again.add(DATA, record()) in again.names(), "a broken run keeps nobody from adding others"


def test_a_changed_number_is_found_by_those_who_look(store):
    kept, runs = store
    chunk = next(path for path in kept.path(runs[0]).rglob("c/*/*") if path.is_file())
    chunk.write_bytes(chunk.read_bytes()[:-1])
    assert ["damaged" in row for row in kept.find()] == [True, False, False]
    health = kept.health()
    assert list(health["damaged"]) == [runs[0]] and health["runs"] == 3 and health["unfinished"] == 0
    with pytest.raises(StoreFault, match=f"run {runs[0]}, of which end/c/0/0 is changed"):
        kept.load(runs[0])


def test_a_store_that_nobody_may_change_is_read(store, monkeypatch):
    """Whether or not its catalogue has all of its runs, or is there at all; and nothing is written."""
    kept, runs = store
    with closing(sqlite3.connect(kept.folder / "catalogue.sqlite")) as connection, connection:
        connection.execute("DELETE FROM runs WHERE run = ?", (runs[1],))
    monkeypatch.setattr(Store, "writable", False)
    for there in (True, False):
        before = sorted(kept.folder.rglob("*"))
        assert [row["run"] for row in Store(kept.folder).rows()] == runs
        assert sorted(kept.folder.rglob("*")) == before
        if there:
            (kept.folder / "catalogue.sqlite").unlink()


def test_where_a_store_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAZYRICH_STORE", raising=False)
    assert Store().folder == tmp_path / "lazyrich-runs"
    monkeypatch.setenv("LAZYRICH_STORE", "theirs")
    assert Store().folder == tmp_path / "theirs" and Store("mine").folder == tmp_path / "mine"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert Store("~/runs").folder == tmp_path / "home" / "runs"
    monkeypatch.setenv("LAZYRICH_STORE", "")
    assert Store().folder == tmp_path / "lazyrich-runs"


def test_nothing_is_made_by_reading(tmp_path):
    store = Store(tmp_path / "new")
    assert store.rows() == store.find() == store.names() == store.like("x") == [] and not store.exists
    assert store.health() == {"folder": str(tmp_path / "new"), "exists": False, "runs": 0, "damaged": {}, "unfinished": 0}
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_a_folder_is_said(tmp_path):
    (tmp_path / "file").write_text("no folder")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreFault, match="a folder that can be written to.*--store"):
            Store(place).require_writable()
        with pytest.raises(StoreFault):
            Store(place).add(DATA, record())
        assert Store(place).rows() == []
    assert (tmp_path / "file").read_text() == "no folder"


def test_a_database_that_is_no_postgresql_is_refused_without_its_password():
    with pytest.raises(BadInput, match="the address of a PostgreSQL database; got 'mysql://...'") as said:
        Store("mysql://me:secret@x")
    assert "secret" not in str(said.value)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:se@c/ret@host:5432/base", "postgresql://me:***@host:5432/base"),
        ("postgresql://me@host/base?a=1&password=secret&b=2", "postgresql://me@host/base?a=1&password=***&b=2"),
        ("postgresql+psycopg://host/base?sslpassword=secret", "postgresql+psycopg://host/base?sslpassword=***"),
        ("postgresql://me@host:5432/base", "postgresql://me@host:5432/base"),
    ],
)
def test_an_address_is_shown_without_its_passwords(address, shown):
    assert Store(address).shown == shown and Store(address).where == address


def test_what_dead_processes_left_is_swept_out_by_the_next_writer(store):
    kept, runs = store
    gone = subprocess.Popen([sys.executable, "-c", "import socket; print(socket.gethostname())"], stdout=-1, text=True)
    host = gone.communicate()[0].strip()
    shutil.copytree(kept.path(runs[0]), kept.runs / f"20300101-000000-abcd.{host}.{gone.pid}.part")
    assert kept.names() == runs and kept.health()["unfinished"] == 1
    kept.require_writable()
    assert kept.health()["unfinished"] == 0 and kept.names() == runs


ADD_TEN = """
import sys, xarray as xr
from lazyrich.lab.store.store import Store
data = xr.Dataset({"end": ("t", [1.0, 2.0])})
print("ready", flush=True)
sys.stdin.readline()
print(*(Store(sys.argv[1]).add(data, {"id": "a/b", "at": at}) for at in range(10)))
"""


def test_two_processes_that_add_at_once_lose_nothing(tmp_path):
    command = [sys.executable, "-c", ADD_TEN, str(tmp_path / "new")]
    both = [subprocess.Popen(command, stdin=-1, stdout=-1, text=True) for _ in range(2)]
    assert [process.stdout.readline() for process in both] == ["ready\n"] * 2
    for process in both:
        process.stdin.write("go\n")
        process.stdin.flush()
    runs = [run for process in both for run in process.communicate()[0].split()]
    store = Store(tmp_path / "new")
    assert len(runs) == 20 and sorted(runs) == store.names() == [row["run"] for row in store.rows()]
    assert store.health()["damaged"] == {}
    kept = [json.loads((path / "zarr.json").read_text())["attributes"]["at"] for path in Path(store.runs).iterdir()]
    assert sorted(kept) == sorted([*range(10)] * 2)
