import shutil
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

import lazyrich as lz
from lazyrich import desk
from lazyrich.errors import BadInput, StoreFault
from lazyrich.lab import Store, remote
from lazyrich.lab.dependencies import digest

CLAIM = "woodworth2020/lemma_6"
SMALL = {"size": "smoke", "seed": 3, "eps": (0.1, 0.3)}


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAZYRICH_STORE", raising=False)
    monkeypatch.setenv("EQX_ON_ERROR", "raise")


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """One result and the store it is kept in."""
    folder = tmp_path_factory.mktemp("first")
    return lz.check(CLAIM, store=str(folder), **SMALL), folder


@pytest.fixture
def stored(first, tmp_path):
    """The same, in a store of one's own."""
    result, folder = first
    return result, str(shutil.copytree(folder, tmp_path / "store"))


@pytest.fixture
def no_judge(monkeypatch):
    def never(*args, **options):
        raise AssertionError("something was computed")

    monkeypatch.setattr(desk, "judge", never)


def break_run(store: str, run: str) -> None:
    chunk = next(path for path in Store(store).path(run).rglob("c/*/*/*") if path.is_file())
    chunk.write_bytes(chunk.read_bytes()[:-1])


def test_a_result_is_kept_where_it_is_asked_for(stored):
    result, store = stored
    assert result.run == Store(store).names()[0]
    data = lz.load(result.run, store)
    xr.testing.assert_equal(data[list(result.curves.data_vars)], result.curves)
    assert data.attrs["verdict"] == result.verdict and data.attrs["seed"] == 3
    assert data.attrs["command"] == f"lazyrich run {CLAIM} --size smoke --seed 3 --set eps=0.1,0.3"
    xr.testing.assert_equal(lz.load("latest", store), data)


def test_without_a_store_nothing_is_kept(tmp_path):
    result = lz.check(CLAIM, **SMALL)
    assert result.run is None and list(tmp_path.iterdir()) == []


def test_what_is_stored_is_taken_instead_of_computed(stored, no_judge):
    result, store = stored
    again = lz.check(CLAIM, store=store, reuse=True, **SMALL)
    assert again.as_json() == result.as_json() and Store(store).names() == [result.run]
    xr.testing.assert_equal(again.curves, result.curves)
    assert again.drawing.caption == result.drawing.caption
    with pytest.raises(AssertionError, match="computed"):
        lz.check(CLAIM, store=store, reuse=True, **(SMALL | {"seed": 4}))


@pytest.mark.parametrize("other", [{"seed": 4}, {"eps": (0.1, 0.2)}, {"size": "quick"}])
def test_another_configuration_is_computed(stored, other):
    result, store = stored
    again = lz.check(CLAIM, store=store, reuse=True, **(SMALL | other))
    assert again.run != result.run and Store(store).names() == [result.run, again.run]


def test_what_is_run_twice_is_said_and_kept_twice(stored):
    result, store = stored
    with pytest.warns(UserWarning, match=f"run like this before, as {result.run}; --reuse"):
        again = lz.check(CLAIM, store=store, **SMALL)
    assert Store(store).names() == [result.run, again.run]


def test_a_damaged_run_is_said_and_computed_again(stored):
    result, store = stored
    break_run(store, result.run)
    with pytest.warns(UserWarning, match=f"run {result.run}, of which .* is changed"):
        again = lz.check(CLAIM, store=store, reuse=True, **SMALL)
    assert again.run not in (None, result.run) and again.holds == result.holds
    with pytest.raises(StoreFault, match=result.run):
        lz.load(result.run, store)
    assert lz.load(again.run, store).attrs["id"] == CLAIM


def test_a_store_that_fails_after_the_work_does_not_take_the_result_along(monkeypatch):
    def full(*args):
        raise StoreFault(needed="room", given="none", cure="Free some space.")

    monkeypatch.setattr(Store, "add", full)
    with pytest.warns(UserWarning, match="room; got none. Free some space."):
        result = lz.check(CLAIM, store="store", **SMALL)
    assert result.run is None and result.verdict == "holds"


def test_a_store_that_cannot_be_written_to_is_refused_before_any_work(tmp_path, no_judge):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreFault, match="--store"):
        lz.check(CLAIM, store="file", **SMALL)
    with pytest.raises(BadInput, match="a store is a folder"):
        lz.check(CLAIM, store="mysql://x", **SMALL)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"size": "huge"}, "quick and paper"),
        ({"seed": -1}, "a seed is"),
        ({"seed": 2**32}, "a seed is"),
        ({"epsilon": 1.0}, "Did you mean eps"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_before_any_work(tmp_path, no_judge, asked, said):
    with pytest.raises(BadInput, match=said):
        list(desk.check_many([CLAIM], **({"size": "smoke", "seed": 0, "store": Store("s")} | split(asked))))
    assert list(tmp_path.iterdir()) == []


def split(asked: dict) -> dict:
    own = {name: value for name, value in asked.items() if name in ("size", "seed")}
    return {"changes": {name: value for name, value in asked.items() if name not in own}, **own}


def test_all_are_looked_at_before_the_first_is_run(no_judge):
    with pytest.raises(BadInput, match="lemma_6"):
        list(desk.check_many([CLAIM, "woodworth2020/lemma_66"], size="smoke", seed=0, changes={}))


def test_runs_and_doctor_name_a_damaged_run_and_show_the_others(stored):
    result, store = stored
    other = lz.check(CLAIM, store=store, **(SMALL | {"seed": 5}))
    assert desk.doctor(Store(store))["ok"]
    break_run(store, result.run)
    rows = Store(store).find("lemma", "eps < 0.2 and verdict == 'holds'")
    assert [row["run"] for row in rows] == [result.run, other.run]
    assert "is changed" in rows[0]["damaged"] and "damaged" not in rows[1]
    told = desk.doctor(Store(store))
    assert not told["ok"] and [line.startswith(f"run {result.run}: ") for line in told["trouble"]] == [True]
    assert list(told["store"]["damaged"]) == [result.run] and told["store"]["runs"] == 2
    assert told["environment"]["precision"] == "float64" and told["store"]["writable"]


def test_the_doctor_makes_nothing(tmp_path):
    told = desk.doctor(Store())
    assert told["store"]["exists"] is False and told["store"]["writable"] is None
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_says_what_is_wrong_with_the_catalogue(stored):
    result, store = stored
    (Store(store).folder / "catalogue.sqlite").write_bytes(b"no database" * 100)
    told = desk.doctor(Store(store))
    assert not told["ok"] and "move it away" in told["trouble"][0]


def test_the_story_of_a_run(stored):
    result, store = stored
    told = desk.story(result.run[-4:], Store(store))
    assert told["run"] == result.run and told["holds"] == result.as_json()["holds"]
    assert told["arrays"]["excess"] == {"axes": {"eps": 2, "d": 2, "over": 2}, "dtype": "float64"}
    assert told["arrays"]["applies"]["dtype"] == "bool" and "drawing" not in told
    assert told["path"] == str(Store(store).path(result.run))
    assert told["in_python"] == f"lz.check(\"{CLAIM}\", size='smoke', seed=3, eps=(0.1, 0.3))"


@pytest.fixture
def made(tmp_path):
    """A simulation that was made on another machine."""
    desk.write_job(CLAIM, size="smoke", seed=3, changes={"eps": (0.1, 0.3)}, file=tmp_path / "jobs" / "job.json")
    desk.prepare()
    from lazyrich.lab.job import Job

    job = Job.from_json((tmp_path / "jobs" / "job.json").read_text(), "job.json")
    remote.run_job(job, tmp_path / "job.npz")
    return tmp_path / "job.npz"


def test_what_is_made_elsewhere_is_judged_as_if_made_here(made, first, monkeypatch):
    monkeypatch.setattr("lazyrich.lab.simulation.Simulation.program", None)
    said = []
    found = desk.bring_home(made, Store("store"), say=said.append)
    here, _ = first
    assert (
        said == [] and replace(found, run=None, seconds=0.0).as_json() == replace(here, run=None, seconds=0.0).as_json()
    )
    np.testing.assert_array_equal(found.curves.excess, here.curves.excess)
    kept = lz.load(found.run, "store").attrs
    assert kept["elsewhere"]["segments"] == 1 and kept["elsewhere"]["judged_by"]["source"] == kept["source"]
    assert kept["seconds"] > kept["elsewhere"]["seconds"], "what it took to judge is added"
    assert kept["claim_source"] == digest(desk.find(CLAIM).module)
    assert kept["fingerprint"] == lz.load(here.run, str(first[1])).attrs["fingerprint"]


def test_a_simulation_made_by_other_code_is_said(made, monkeypatch):
    elsewhere = desk.environment() | {"source": "newer"}
    monkeypatch.setattr(desk, "environment", lambda: elsewhere)
    said = []
    desk.bring_home(made, Store("store"), say=said.append)
    assert len(said) == 1 and "another version of lazyrich" in said[0]


def test_a_job_cannot_be_written_where_there_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreFault, match="file/job.json"):
        desk.write_job(CLAIM, size="smoke", seed=0, changes={}, file=tmp_path / "file" / "job.json")
    with pytest.raises(BadInput, match="Did you mean eps"):
        desk.write_job(CLAIM, size="smoke", seed=0, changes={"epsilon": 1.0}, file=tmp_path / "job.json")
    assert not (tmp_path / "job.json").exists()
