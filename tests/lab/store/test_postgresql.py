"""The catalogue on a real PostgreSQL server, which these tests start for themselves in a folder of their own."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import numpy as np
import pytest
import xarray as xr

from lazyrich.errors import BadInput, StoreFault
from lazyrich.lab import Store
from lazyrich.lab.store.catalogue import VERSION, Catalogue

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import asked

# A server refuses to be run by root, who becomes this user for it.
SERVANT = "postgres"


def programs() -> pathlib.Path | None:
    """Where initdb and pg_ctl are: on the PATH, or where Debian keeps them; None also where root cannot become the servant."""
    if os.geteuid() == 0 and not (shutil.which("runuser") and "postgres:" in pathlib.Path("/etc/passwd").read_text()):
        return None
    found = shutil.which("pg_ctl")
    folders = [pathlib.Path(found).resolve().parent] if found else []
    folders += sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


BIN = programs()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BIN is None, reason="no PostgreSQL server programs here (apt-get install postgresql)"),
]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server on a free port; stopped at the end."""
    assert BIN is not None
    base = tmp_path_factory.mktemp("server")
    own = ["runuser", "-u", SERVANT, "--"] if os.geteuid() == 0 else []
    if own:
        place = pathlib.Path(tempfile.mkdtemp(prefix="lazyrich-"))  # pytest's own folder is closed to others
        shutil.chown(place, SERVANT)
    else:
        place = base
    data, port = place / "data", free_port()

    def call(program: str, *words: str) -> None:
        subprocess.run([*own, str(BIN / program), *words], check=True, capture_output=True, timeout=60, cwd="/")

    try:
        call("initdb", "-D", str(data), "-U", "lazyrich", "-A", "trust", "--no-sync", "-E", "UTF8")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        call("pg_ctl", "-D", str(data), "-w", "-l", str(place / "log"), "-o", options, "start")
        yield f"postgresql://lazyrich:secret@127.0.0.1:{port}/postgres"
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            call("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
        if own:
            shutil.rmtree(place)


@pytest.fixture
def empty(server):
    """The same server without what an earlier test left."""
    import sqlalchemy as sa

    from lazyrich.lab.store.catalogue import _tables, server_engine

    with server_engine(server).begin() as connection:
        _tables.drop_all(connection)
        assert connection.execute(sa.text("SELECT 1")).scalar() == 1
    return server


def facts(run: str, **more) -> dict:
    return {"run": run, "fingerprint": "f", "created": f"2026-01-01T00:00:{run[-2:]}Z", "params": {"alpha": 0.1}, **more}


def test_rows_come_back_as_from_a_file(empty, tmp_path):
    rows = [facts(f"r{at:02}", verdict="größer", seconds=1 / 3, holds={"time": "never"}, sound={}) for at in (7, 3, 5)]
    both = Catalogue(empty), Catalogue(tmp_path / "catalogue.sqlite")
    for catalogue in both:
        catalogue.add(rows)
        catalogue.add([facts("r07", verdict="other"), facts("r09", fingerprint="g")])
    for ask in (lambda one: one.rows(), lambda one: one.rows(readings=True), lambda one: one.runs(), lambda one: one.like("f")):
        assert ask(both[0]) == ask(both[1]) == ask(Catalogue(empty))
    assert both[0].like("g") == ["r09"]


def test_a_store_by_address_keeps_runs_in_a_folder_and_rows_on_the_server(empty, tmp_path, monkeypatch):
    monkeypatch.setenv("LAZYRICH_RUNS", str(tmp_path / "runs"))
    store = Store(empty)
    data = xr.Dataset({"end": ("t", np.arange(3.0))})
    run = store.add(data, {"id": "paper/item", "seed": 3, "verdict": "holds", "params": {"alpha": 2.0}})
    assert [row["run"] for row in Store(empty).find(where="alpha > 1 and seed == 3")] == [run]
    xr.testing.assert_equal(Store(empty).load(run).drop_attrs(), data)
    assert not (tmp_path / "runs" / "catalogue.sqlite").exists()
    monkeypatch.setenv("LAZYRICH_RUNS", str(tmp_path / "elsewhere"))
    other = Store(empty)
    other.require_writable()
    assert other.rows()[0]["damaged"] == f"it is not in {tmp_path / 'elsewhere'}"


def test_a_sweep_is_catalogued_on_the_server(empty, tmp_path, monkeypatch):
    from lazyrich import lab
    from lazyrich.api.report import describe

    monkeypatch.setenv("LAZYRICH_RUNS", str(tmp_path))
    found = lab.sweep(abs_of, {"alpha": [1.0, -2.0]}, store=empty)
    again = lab.sweep(abs_of, {"alpha": [-2.0, 5.0]}, store=empty)
    assert (found.done, again.done, again.skipped) == (2, 1, 1) and again.data.value.values.tolist() == [2.0, 5.0]
    assert {row["kind"] for row in Store(empty).rows()} == {"sweep"}
    done = lab.sweep(abs_of, {"alpha": [1.0, -2.0]}, store=empty, resume=found.run)
    assert done.data.sizes == found.data.sizes
    shown = [repr(found), found.as_json(), repr(done), done.as_json(), describe(found.run, Store(empty))]
    assert "secret" in empty and "secret" not in str(shown)


def abs_of(alpha):
    return abs(alpha)


def test_writers_at_once_lose_nothing(empty):
    assert asked.written_at_once(lambda rows: Catalogue(empty).add(rows), writers=4) == []
    assert len(Catalogue(empty).runs()) == 20


def test_a_newer_version_is_refused(empty):
    from lazyrich.lab.store.catalogue import VERSIONS, server_engine

    Catalogue(empty)
    with server_engine(empty).begin() as connection:
        connection.execute(VERSIONS.insert().values(version=VERSION + 1))
    with pytest.raises(StoreFault, match=f"version {VERSION + 1}. Upgrade lazyrich"):
        Catalogue(empty)


def test_a_base_that_is_not_there_is_said_without_the_password(server, tmp_path, monkeypatch):
    monkeypatch.setenv("LAZYRICH_RUNS", str(tmp_path))
    with pytest.raises(StoreFault, match="nobase.*does not exist") as said:
        Store(server.replace("/postgres", "/nobase")).require_writable()
    assert "secret" not in str(said.value)


def test_a_server_that_is_not_there_is_said_soon(tmp_path, monkeypatch):
    monkeypatch.setenv("LAZYRICH_RUNS", str(tmp_path))
    begin = time.monotonic()
    with pytest.raises(StoreFault, match="a database that answers"):
        Store(f"postgresql://nobody@127.0.0.1:{free_port()}/base").require_writable()
    assert time.monotonic() - begin < 10


def test_an_address_that_cannot_be_read_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("LAZYRICH_RUNS", str(tmp_path))
    with pytest.raises(BadInput, match="postgresql://USER@HOST/BASE"):
        Store("postgresql://host:port/base").require_writable()


def test_the_server_makes_the_same_shortlist(empty, tmp_path):
    both = Catalogue(empty), Catalogue(tmp_path / "catalogue.sqlite")
    for catalogue in both:
        catalogue.add(asked.facts())
    for text in asked.QUESTIONS:
        assert both[0].rows(where=text) == both[1].rows(where=text), text
    assert both[0].mentions("alpha") and not both[0].mentions("beta")
