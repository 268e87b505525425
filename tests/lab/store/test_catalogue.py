import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lazyrich.errors import StoreFault
from lazyrich.lab.store.catalogue import VERSION, Catalogue

sys.path.insert(0, str(Path(__file__).parent))
import asked


def facts(run: str, **more) -> dict:
    return {"run": run, "fingerprint": "f", "created": f"2026-01-01T00:00:{run[-2:]}Z", "alpha": [0.1, 1.0], **more}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "catalogue.sqlite"


def test_rows_come_back_oldest_first(file):
    catalogue = Catalogue(file)
    assert catalogue.rows() == [] and catalogue.rows(readings=True) == [] and catalogue.runs() == set()
    rows = [facts(f"r{second:02}", verdict="größer", seconds=1 / 3) for second in (7, 3, 5)]
    catalogue.add(rows)
    catalogue.add([])
    assert catalogue.rows() == [rows[1], rows[2], rows[0]] and catalogue.runs() == {"r03", "r05", "r07"}
    assert Catalogue(file).rows() == catalogue.rows()


def test_readings_are_given_when_asked_for(file):
    catalogue = Catalogue(file)
    rows = [facts(f"r{at}", holds={"time": "never", "gap": at}, sound={}) for at in (10, 11)]
    catalogue.add(rows)
    assert catalogue.rows(readings=True) == rows
    assert [set(row) & {"sound", "holds"} for row in catalogue.rows()] == [set(), set()]


def test_a_run_that_is_there_stays_as_it_is(file):
    catalogue = Catalogue(file)
    catalogue.add([facts("r01", verdict="holds")])
    catalogue.add([facts("r01", verdict="fails"), facts("r02")])
    assert [row.get("verdict") for row in catalogue.rows()] == ["holds", None]


def test_the_same_configuration_is_found_newest_first(file):
    catalogue = Catalogue(file)
    catalogue.add([facts("r01"), facts("r03"), facts("r02"), facts("r04", fingerprint="g"), {"run": "bare"}])
    assert catalogue.like("f") == ["r03", "r02", "r01"] and catalogue.like("h") == []
    assert "bare" in catalogue.runs()


@pytest.mark.parametrize("writable", [True, False])
def test_a_newer_version_is_refused_with_what_to_do(file, writable):
    Catalogue(file)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO catalogue VALUES (?)", (VERSION + 1,))
    with pytest.raises(StoreFault, match=f"version {VERSION + 1}. Upgrade lazyrich .*--store"):
        Catalogue(file, writable=writable)


@pytest.mark.parametrize("writable", [True, False])
def test_a_file_that_is_no_database_is_said_with_what_to_do(file, writable):
    file.write_bytes(b"no database at all\n" * 100)
    with pytest.raises(StoreFault, match="not a database.*move it away"):
        Catalogue(file, writable=writable)
    assert file.read_bytes() == b"no database at all\n" * 100


def test_a_broken_page_is_said(file):
    catalogue = Catalogue(file)
    catalogue.add([facts(f"r{at:02}", text="x" * 5_000) for at in range(50)])
    whole = bytearray(file.read_bytes())
    whole[4096:] = b"\xff" * (len(whole) - 4096)
    file.write_bytes(whole)
    with pytest.raises(StoreFault, match="malformed.*made anew"):
        Catalogue(file).rows()


def test_a_folder_in_place_of_the_file_is_said(file):
    file.mkdir()
    with pytest.raises(StoreFault, match="unable to open"):
        Catalogue(file)


def test_a_catalogue_that_nobody_may_change_is_read(file):
    Catalogue(file).add([facts("r01")])
    before = file.read_bytes()
    catalogue = Catalogue(file, writable=False)
    assert catalogue.rows() == [facts("r01")] and catalogue.like("f") == ["r01"]
    with pytest.raises(StoreFault, match="readonly"):
        catalogue.add([facts("r02")])
    assert file.read_bytes() == before and [path.name for path in file.parent.iterdir()] == [file.name]


def test_where_none_was_begun_and_none_may_be_there_are_no_rows(file):
    for there in (False, True):
        catalogue = Catalogue(file, writable=False)
        assert (catalogue.rows(), catalogue.runs(), catalogue.like("f")) == ([], set(), [])
        assert file.exists() is there
        file.touch()


@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize("name", ["a?b", "a%20b", "a#b", "größe & = @:x"])
def test_a_path_may_have_any_characters(tmp_path, name, writable):
    (tmp_path / name).mkdir()
    Catalogue(tmp_path / name / "catalogue.sqlite").add([facts("r01")])
    assert Catalogue(tmp_path / name / "catalogue.sqlite", writable=writable).runs() == {"r01"}
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_writers_that_begin_a_catalogue_at_once_lose_nothing(file):
    assert asked.written_at_once(lambda rows: Catalogue(file).add(rows), writers=6) == []
    assert len(Catalogue(file).runs()) == 30
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT version FROM catalogue").fetchall() == [(VERSION,)]


def test_a_catalogue_is_read_while_another_writes(file):
    Catalogue(file).add([facts("r01")])
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert Catalogue(file).runs() == {"r01"}


def test_patience_ends_in_words(file, monkeypatch):
    monkeypatch.setattr("lazyrich.lab.store.catalogue.PATIENCE", 0.05)
    catalogue = Catalogue(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFault, match="database is locked"):
            catalogue.add([facts("r01")])
