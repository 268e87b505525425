import pytest
import xarray as xr
from damage import break_run

import lazyrich as lz
from lazyrich.api.check import check_many
from lazyrich.errors import BadInput, StoreFault
from lazyrich.lab import Store

CLAIM = "woodworth2020/lemma_6"
SMALL = {"size": "smoke", "seed": 3, "eps": (0.1, 0.3)}


def test_a_result_is_kept_where_it_is_asked_for(stored):
    result, store = stored
    assert result.run == Store(store).names()[0]
    data = lz.load(result.run, store)
    xr.testing.assert_equal(data[list(result.data.data_vars)], result.data)
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
    xr.testing.assert_equal(again.data, result.data)
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
        list(check_many([CLAIM], **({"size": "smoke", "seed": 0, "store": Store("s")} | split(asked))))
    assert list(tmp_path.iterdir()) == []


def split(asked: dict) -> dict:
    own = {name: value for name, value in asked.items() if name in ("size", "seed")}
    return {"changes": {name: value for name, value in asked.items() if name not in own}, **own}


def test_all_are_looked_at_before_the_first_is_run(no_judge):
    with pytest.raises(BadInput, match="lemma_6"):
        list(check_many([CLAIM, "woodworth2020/lemma_66"], size="smoke", seed=0, changes={}))
