import json
from importlib.metadata import PackageNotFoundError, metadata, version

import pytest
from damage import break_run

import lazyrich as lz
from lazyrich.api import doctor
from lazyrich.lab import Store

CLAIM = "woodworth2020/lemma_6"
SMALL = {"size": "smoke", "seed": 3, "eps": (0.1, 0.3)}


def test_every_need_is_met_here():
    rows = doctor.needs()
    assert {"jax", "numpy", "zarr", "sqlalchemy"} <= {row["package"] for row in rows}
    assert all(row["ok"] and row["cure"] is None and row["version"] for row in rows)
    assert "pytest" not in {row["package"] for row in rows}, "extras are not needs"


@pytest.mark.parametrize("found", [None, "0.0.1"])
def test_what_is_missing_or_too_old_comes_with_its_cure(monkeypatch, found):
    def look(name):
        if name != "zarr":
            return version(name)
        if found is None:
            raise PackageNotFoundError(name)
        return found

    monkeypatch.setattr(doctor, "version", look)
    (row,) = [row for row in doctor.needs() if not row["ok"]]
    assert row["package"] == "zarr" and row["version"] == found
    assert row["cure"] == f"pip install 'zarr{row['needed']}'" and ">=" in row["needed"]


def test_a_package_that_was_never_installed_has_no_needs(monkeypatch):
    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "metadata", absent)
    assert doctor.needs() == []


def test_extras_are_those_that_can_be_installed(monkeypatch):
    rows = {row["extra"]: row for row in doctor.extras()}
    assert set(rows) <= set(metadata("lazyrich").get_all("Provides-Extra"))
    assert rows["dev"]["there"] and rows["dev"]["cure"] is None
    monkeypatch.setitem(doctor.EXTRAS, "web", ("no_such_module", "the page"))
    (row,) = [row for row in doctor.extras() if row["extra"] == "web"]
    assert not row["there"] and row["cure"] == "pip install 'lazyrich[web]'"


def test_the_cache_is_counted_and_never_made(tmp_path, monkeypatch):
    monkeypatch.setenv("LAZYRICH_CACHE", str(tmp_path / "new" / "cache"))
    empty = {"folder": str(tmp_path / "new" / "cache"), "programs": 0, "megabytes": 0.0, "writable": True}
    assert doctor.cache() == empty and list(tmp_path.iterdir()) == []
    (tmp_path / "new" / "cache").mkdir(parents=True)
    for name in ("a-cache", "a-atime", "b-cache"):
        (tmp_path / "new" / "cache" / name).write_bytes(b"x" * 500_000)
    found = doctor.cache()
    assert (found["programs"], found["megabytes"]) == (2, 1.5)


def test_the_machine_is_described_in_plain_numbers(tmp_path):
    answer = doctor.machine(tmp_path / "not" / "there")
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert answer["cores"] >= 1 and answer["disk_free_gigabytes"] > 0 and answer["memory_gigabytes"] > 0


def test_runs_and_doctor_name_a_damaged_run_and_show_the_others(stored):
    result, store = stored
    other = lz.check(CLAIM, store=store, **(SMALL | {"seed": 5}))
    assert doctor.doctor(Store(store))["ok"]
    break_run(store, result.run)
    rows = Store(store).find("lemma", "eps < 0.2 and verdict == 'holds'")
    assert [row["run"] for row in rows] == [result.run, other.run]
    assert "is changed" in rows[0]["damaged"] and "damaged" not in rows[1]
    answer = doctor.doctor(Store(store))
    assert not answer["ok"] and [line.startswith(f"run {result.run}: ") for line in answer["trouble"]] == [True]
    assert list(answer["store"]["damaged"]) == [result.run] and answer["store"]["runs"] == 2
    assert answer["environment"]["precision"] == "float64" and answer["store"]["writable"]


def test_the_doctor_makes_nothing(tmp_path):
    answer = doctor.doctor(Store())
    assert answer["store"]["exists"] is False and answer["store"]["writable"] is None
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_says_what_is_wrong_with_the_catalogue(stored):
    result, store = stored
    (Store(store).folder / "catalogue.sqlite").write_bytes(b"no database" * 100)
    answer = doctor.doctor(Store(store))
    assert not answer["ok"] and "move it away" in answer["trouble"][0]
