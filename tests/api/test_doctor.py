import json
from importlib.metadata import PackageNotFoundError, metadata, version

import pytest

from lazyrich.lab import health


def test_every_need_is_met_here():
    rows = health.needs()
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

    monkeypatch.setattr(health, "version", look)
    (row,) = [row for row in health.needs() if not row["ok"]]
    assert row["package"] == "zarr" and row["version"] == found
    assert row["cure"] == f"pip install 'zarr{row['needed']}'" and ">=" in row["needed"]


def test_a_package_that_was_never_installed_has_no_needs(monkeypatch):
    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(health, "metadata", absent)
    assert health.needs() == []


def test_extras_are_those_that_can_be_installed(monkeypatch):
    rows = {row["extra"]: row for row in health.extras()}
    assert set(rows) <= set(metadata("lazyrich").get_all("Provides-Extra"))
    assert rows["dev"]["there"] and rows["dev"]["cure"] is None
    monkeypatch.setitem(health.EXTRAS, "web", ("no_such_module", "the page"))
    (row,) = [row for row in health.extras() if row["extra"] == "web"]
    assert not row["there"] and row["cure"] == "pip install -e '.[web]', in the checkout of lazyrich"


def test_the_cache_is_counted_and_never_made(tmp_path, monkeypatch):
    monkeypatch.setenv("LAZYRICH_CACHE", str(tmp_path / "new" / "cache"))
    empty = {"folder": str(tmp_path / "new" / "cache"), "programs": 0, "megabytes": 0.0, "writable": True}
    assert health.cache() == empty and list(tmp_path.iterdir()) == []
    (tmp_path / "new" / "cache").mkdir(parents=True)
    for name in ("a-cache", "a-atime", "b-cache"):
        (tmp_path / "new" / "cache" / name).write_bytes(b"x" * 500_000)
    found = health.cache()
    assert (found["programs"], found["megabytes"]) == (2, 1.5)


def test_the_machine_is_described_in_plain_numbers(tmp_path):
    told = health.machine(tmp_path / "not" / "there")
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["cores"] >= 1 and told["disk_free_gigabytes"] > 0 and told["memory_gigabytes"] > 0
