import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich import lab
from lazyrich.errors import BadInput, StoreFault
from lazyrich.lab import Param, Simulation, Store
from lazyrich.lab.params import Params
from lazyrich.lab.runner import Runner
from lazyrich.lab.sweeps import coordinator, engines, work
from lazyrich.lab.sweeps.grid import Grid
from lazyrich.lab.sweeps.growing import Growing
from lazyrich.lab.sweeps.parts import Parts

sys.path.insert(0, str(Path(__file__).parent))
import swept

GRID = {"alpha": [0.5, 1.0, 2.0], "beta": [1.0, 3.0]}


def interrupted_after(parts: int):
    """Stops a sweep as Ctrl-C would, once so many pieces are done."""
    seen = []

    def notify(now):
        seen.append(now)
        if now.done and len([one for one in seen if one.done]) >= parts:
            raise KeyboardInterrupt

    return notify


def test_a_function_is_swept_to_one_labelled_dataset(tmp_path):
    found = lab.sweep(swept.product, GRID, store=str(tmp_path))
    assert (found.points, found.done, found.failed, found.skipped) == (6, 6, 0, 0)
    assert found.axes == GRID
    np.testing.assert_array_equal(found.data.y, np.outer([0.5, 1, 2], [1, 3]))
    assert found.data.curve.dims == ("alpha", "beta", "curve_0")
    np.testing.assert_array_equal(found.data.curve.sel(alpha=2.0, beta=1.0), [0, 2, 4])
    store = Store(tmp_path)
    assert store.names() == [found.run] and store.growing() == [] and store.rows()[0]["kind"] == "sweep"
    assert not (store.sweeps / found.run).exists()


@pytest.mark.parametrize("how", ["loop", "map", "vmap"])
def test_every_way_gives_the_numbers_of_the_runner(tmp_path, how, monkeypatch):
    """Trials have the keys that they have in a claim; a short last piece is padded and cut again."""

    def run(key, *, alpha, d):
        return {"y": swept.drawn(key, alpha) * jnp.ones(d), "n": jnp.asarray(d)}

    params = [Param("alpha", (1.0, 2.0)), Param("d", 2, low=1, high=9, static=True), Param("trials", 3, static=True)]
    simulation = Simulation(run, params, {"y": "d", "n": ""})
    monkeypatch.setattr(coordinator, "MOST", 3)
    found = lab.sweep(simulation, {"alpha": np.arange(5.0)}, seed=7, how=how, store=str(tmp_path))
    settings = Params.of(params, "quick", changes={"alpha": tuple(np.arange(5.0))})
    beside = Runner().simulate(simulation, settings, 7)
    assert found.data.y.dims == ("alpha", "trial", "d") and found.data.n.dtype == beside.n.dtype
    np.testing.assert_allclose(found.data.y, beside.y, rtol=1e-15)


def test_a_static_axis_makes_groups_and_arrays_that_change_shape_are_left_out(tmp_path):
    seen = []
    found = lab.sweep(swept.sized, {"alpha": [1.0, 2.0], "d": [2, 5]}, static=["d"], store=str(tmp_path), notify=seen.append)
    np.testing.assert_array_equal(found.data.total, [[2, 5], [4, 10]])
    assert "all" not in found.data and found.data.attrs["left_out"] == ["all"]
    assert "all" in found.remarks[-1] and seen[-1].done == 4


def test_an_interrupted_sweep_is_read_and_resumed_without_computing_anything_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(coordinator, "MOST", 2)
    marks = tmp_path / "marks"
    marks.mkdir()
    options = {"fixed": {"folder": str(marks)}, "host": True, "store": str(tmp_path / "store")}
    with pytest.raises(KeyboardInterrupt):
        lab.sweep(swept.counted, GRID, notify=interrupted_after(2), **options)
    store = Store(tmp_path / "store")
    (growing,) = store.growing()
    seen = store.load("latest")
    assert seen.attrs["growing"] and 0 < seen.attrs["done"] == seen.value.notnull().sum() < 6
    assert store.rows()[0]["growing"] and store.names() == []
    before = {path.name: path.read_text() for path in marks.iterdir()}
    found = lab.sweep(swept.counted, GRID, resume=growing.run[-4:], **options)
    assert found.run == growing.run and found.done + found.skipped == 6 and found.skipped == len(before)
    assert all(path.read_text().count("\n") == 1 for path in marks.iterdir()) and len(list(marks.iterdir())) == 6
    np.testing.assert_array_equal(found.data.value, np.outer([0.5, 1, 2], [1, 3]))
    again = lab.sweep(swept.counted, GRID, resume=growing.run, **options)
    assert (again.run, again.done, again.skipped) == (growing.run, 0, 6)


def test_a_point_that_crashes_is_tried_three_times_and_leaves_the_others_alone(tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    found = lab.sweep(
        swept.crashing, {"alpha": [1, 2, 3, 4]}, fixed={"folder": str(marks)}, host=True, store=str(tmp_path / "store")
    )
    assert (found.done, found.failed) == (3, 1) and found.failures == {"alpha=3": "ValueError: no point of mine"}
    np.testing.assert_array_equal(found.data.value, [2, 4, np.nan, 8])
    assert found.data.attrs["failures"] == {"2": {"at": {"alpha": 3}, "error": "ValueError: no point of mine"}}
    assert len((marks / "3").read_text()) in (3, 4)  # with its piece, if that has others in it, and three times alone


def test_a_program_that_cannot_be_traced_fails_everywhere_at_once(tmp_path):
    calls = []

    def bad(alpha):
        calls.append(1)
        return jnp.zeros(3) + jnp.zeros(4) * alpha

    found = lab.sweep(bad, {"alpha": np.arange(1.0, 200.0)}, store=str(tmp_path))
    assert found.failed == 199 and found.done == 0 and "TypeError" in found.failures["alpha=1"] and len(calls) < 10


def test_points_of_another_sweep_are_reused_and_that_is_said(tmp_path):
    first = lab.sweep(swept.product, GRID, store=str(tmp_path))
    more = lab.sweep(swept.product, {"alpha": [1.0, 4.0], "beta": [3.0, 5.0, 1.0]}, store=str(tmp_path))
    assert (more.done, more.skipped) == (4, 2) and first.run in more.remarks[0]
    np.testing.assert_array_equal(more.data.y, np.outer([1, 4], [3, 5, 1]))
    assert more.data.curve.sel(alpha=1.0, beta=3.0).values.tolist() == [0, 1, 2]
    assert lab.sweep(swept.product, GRID, seed=1, store=str(tmp_path)).skipped == 0
    third = lab.sweep(swept.product, GRID, store=str(tmp_path))
    assert (third.done, third.skipped) == (0, 6)


def test_what_failed_before_is_not_taken_for_done(tmp_path):
    options = {"fixed": {"folder": str(tmp_path)}, "host": True, "store": str(tmp_path / "store")}
    lab.sweep(swept.crashing, {"alpha": [2, 3]}, **options)
    again = lab.sweep(swept.crashing, {"alpha": [2, 3]}, **options)
    assert (again.done, again.failed, again.skipped) == (0, 1, 1)


def test_code_that_nobody_can_name_is_never_reused(tmp_path):
    for factor in (1.0, 2.0):
        found = lab.sweep(lambda alpha, factor=factor: factor * alpha, {"alpha": [1.0]}, store=str(tmp_path))
        closed = lab.sweep(lambda alpha: factor * alpha, {"alpha": [1.0]}, store=str(tmp_path))  # noqa: B023
        assert closed.data.value.item() == factor and closed.skipped == 0
    assert found.points == 1


@pytest.mark.parametrize(
    ("over", "options", "said"),
    [
        ({"gamma": [1]}, {}, "product takes alpha, beta; got gamma"),
        ({"alpha": [1]}, {}, "got no beta"),
        ({}, {"fixed": {"alpha": 1, "beta": 1}}, "needs an axis"),
        ({"alpha": [1, 1], "beta": [1]}, {}, "different values"),
        ({"alpha": [1, "x"], "beta": [1]}, {}, "at the point alpha='x', beta=1"),
        ({"alpha": np.arange(2000), "beta": np.arange(1000)}, {}, "2,000,000 points"),
        ({"alpha": ["a", "b"], "beta": [1]}, {}, "at the point alpha='a', beta=1"),
        ({"alpha": [], "beta": [1]}, {}, "finite numbers, at least one; got none"),
        ({"alpha": [1.0, np.nan], "beta": [1]}, {}, "finite numbers, at least one; got nan"),
        ({"alpha": [1.0]}, {"fixed": {"beta": np.inf}}, "beta takes finite numbers"),
        ({"alpha": [1], "beta": [1]}, {"engine": "gpu"}, "an engine is local"),
        ({"alpha": [1], "beta": [1]}, {"resume": "abcd"}, "There are none yet"),
    ],
)
def test_bad_input_is_refused_before_any_work(tmp_path, over, options, said):
    with pytest.raises(BadInput, match=said):
        lab.sweep(swept.product, over, store=str(tmp_path / "store"), **options)


def test_a_value_out_of_range_is_refused_with_the_point():
    params = [Param("alpha", 1.0, low=0.0, high=5.0), Param("beta", "=10*alpha", high=20.0), Param("gamma", 1.0)]
    simulation = Simulation(lambda *, alpha, beta: {"y": alpha * beta}, params, {"y": ""}, random=False)
    with pytest.raises(BadInput, match="alpha takes a number from 0 up to 5; got 7.0 at the point alpha=7.0"):
        lab.sweep(simulation, {"alpha": [1.0, 7.0]})
    with pytest.raises(BadInput, match="beta takes .*up to 20; got 30 by the formula =10.alpha at the point alpha=3"):
        lab.sweep(simulation, {"alpha": [1.0, 3.0]})
    with pytest.raises(BadInput, match="varies what the simulation depends on: alpha, beta; got gamma"):
        lab.sweep(simulation, {"gamma": [1.0, 3.0]})
    with pytest.raises(BadInput, match="alpha both ways"):
        lab.sweep(simulation, {"alpha": [1.0]}, fixed={"alpha": 2.0})


def test_a_second_coordinator_is_refused(tmp_path):
    growing = Growing.begin(tmp_path / "run", {"axes": {"alpha": [1]}, "trials": None})
    with growing.held(), pytest.raises(BadInput, match="one coordinator.*process"), Growing(growing.folder).held():
        pass
    with growing.held():
        pass


def test_other_code_or_another_grid_does_not_resume(tmp_path):
    options = {"fixed": {"beta": 1.0}, "store": str(tmp_path)}
    with pytest.raises(KeyboardInterrupt):
        lab.sweep(swept.product, {"alpha": [1.0, 2.0]}, notify=interrupted_after(1), **options)
    with pytest.raises(BadInput, match="resumed over its own grid"):
        lab.sweep(swept.product, {"alpha": [1.0, 3.0]}, resume="latest", **options)
    (growing,) = Store(tmp_path).growing()
    plan = growing.folder / "plan.json"
    plan.write_text(plan.read_text().replace(growing.record["source"], "0" * 16))
    with pytest.raises(BadInput, match="by the code and in the precision that began it"):
        lab.sweep(swept.product, {"alpha": [1.0, 2.0]}, resume="latest", **options)


def test_a_part_that_is_not_as_it_was_written_counts_as_missing(tmp_path):
    parts = Parts(tmp_path / "parts")
    names = [parts.write(np.array([at]), {"y": np.ones((1, 100))}) for at in range(3)]
    whole = (tmp_path / "parts" / names[1]).read_bytes()
    (tmp_path / "parts" / names[1]).write_bytes(whole[:-40])
    cut = bytearray(whole)
    cut[600] ^= 1  # among the ones
    (tmp_path / "parts" / names[2]).write_bytes(cut)
    assert [index.tolist() for index, _, _ in parts.read()] == [[0]]


def test_parts_at_an_address(tmp_path):
    parts = Parts("memory://sweeps/one")
    parts.write(np.array([4, 5]), {"y": np.ones((2, 3))}, 1.5)
    ((index, arrays, seconds),) = parts.read()
    assert index.tolist() == [4, 5] and arrays["y"].shape == (2, 3) and seconds == 1.5
    parts.remove()
    assert parts.names() == []
    found = lab.sweep(swept.product, GRID, store=str(tmp_path), parts="memory://sweeps/two")
    assert found.done == 6 and found.data.y.notnull().all() and Parts("memory://sweeps/two").names() == []


def test_a_disk_that_fails_keeps_what_is_done(tmp_path, monkeypatch):
    monkeypatch.setattr(coordinator, "MOST", 1)
    write, seen = Parts._put, []

    def full(self, name, content):
        seen.append(name)
        if len(seen) > 2:
            raise OSError(28, "No space left on device")
        write(self, name, content)

    monkeypatch.setattr(Parts, "_put", full)
    with pytest.raises(StoreFault, match="No space left"):
        lab.sweep(swept.product, GRID, store=str(tmp_path))
    monkeypatch.setattr(Parts, "_put", write)
    found = lab.sweep(swept.product, GRID, store=str(tmp_path), resume="latest")
    assert (found.done, found.skipped) == (4, 2)


def test_parts_that_cannot_be_read_at_the_end_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(coordinator, "MOST", 2)
    monkeypatch.setattr(Parts, "_get", lambda self, name: None)
    with pytest.raises(StoreFault, match="6 of 6 that cannot.*--resume"):
        lab.sweep(swept.half, {"n": [1, 2, 3, 4, 5, 6]}, host=True, store=str(tmp_path))
    monkeypatch.undo()
    found = lab.sweep(swept.half, {"n": [1, 2, 3, 4, 5, 6]}, host=True, store=str(tmp_path), resume="latest")
    assert (found.done, found.skipped) == (0, 6) and found.data.value.dtype == float
    np.testing.assert_array_equal(found.data.value, [0, 1, 1.5, 2, 2.5, 3])  # the first part holds whole numbers only


@pytest.mark.parametrize("far", [False, True])
def test_nothing_but_its_own_parts_is_read_or_removed_where_the_user_says(tmp_path, far):
    import fsspec

    where = f"memory://{tmp_path.name}" if far else str(tmp_path / "place")
    system, folder = fsspec.core.url_to_fs(where)
    system.makedirs(folder, exist_ok=True)
    system.pipe_file(f"{folder}/notes.txt", b"mine")
    Parts(where).write(np.array([0]), {"value": np.array([-1.0])})
    seen = []
    found = lab.sweep(
        swept.half,
        {"n": [2, 4]},
        host=True,
        store=str(tmp_path / "store"),
        parts=where,
        notify=lambda now: seen.append(system.find(folder)),
    )
    assert found.done == 2 and found.data.value.values.tolist() == [1.0, 2.0]
    assert any(f"/{found.run}/0" in name for name in seen[-1])
    assert {name.rsplit(".", 1)[1] for name in system.find(folder)} == {"txt", "npz"}
    assert len(system.find(folder)) == 2


def test_a_worker_writes_where_it_finds_the_mark_of_its_sweep(tmp_path):
    parts = Parts(tmp_path / "one")
    assert not parts.reached("one")
    parts.claim("one")
    assert parts.reached("one") and not parts.reached("two") and Parts("memory://x").reached("one")
    with pytest.raises(BadInput, match=r"one with a password, ftp://me:\*\*\*@host"):
        lab.sweep(swept.half, {"n": [1]}, store=str(tmp_path / "store"), parts="ftp://me:se/cret@host/x")


def test_own_axes_that_have_the_name_of_a_swept_one_or_two_lengths(tmp_path):
    def run(*, d):
        return {"y": np.ones(d), "z": np.ones((d, d + 1)), "w": np.ones(d), "k": np.ones(3), "d": d}

    simulation = Simulation(
        run, [Param("d", 2, static=True)], {"y": "d", "z": "t s", "w": "s", "k": "k", "d": ""}, random=False, host=True
    )
    found = lab.sweep(simulation, {"d": [2]}, store=str(tmp_path))
    sizes = {name: dict(array.sizes) for name, array in found.data.data_vars.items()}
    assert sizes == {
        "y": {"d": 1, "d_of_y": 2},
        "z": {"d": 1, "t": 2, "s": 3},
        "w": {"d": 1, "s_of_w": 2},
        "k": {"d": 1, "k_of_k": 3},
        "d_read": {"d": 1},
    }


def test_a_plan_that_is_cut_is_listed_as_damaged_and_hides_nothing_else(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        lab.sweep(swept.half, {"n": [1, 2]}, host=True, store=str(tmp_path), notify=interrupted_after(1))
    store = Store(tmp_path)
    (growing,) = store.growing()
    (growing.folder / "failures.json").write_text('{"1": "Val')
    assert growing.failures() == {}
    for text in ("", "[]", "{}"):
        (growing.folder / "plan.json").write_text(text)
        (row,) = store.find()
        assert row["run"] == growing.run and "plan.json" in row["damaged"]


def test_a_sweep_that_lacks_an_array_is_not_reused(tmp_path):
    options = {"static": ["d"], "store": str(tmp_path)}
    lab.sweep(swept.sized, {"alpha": [1.0], "d": [2, 5]}, **options)
    found = lab.sweep(swept.sized, {"alpha": [1.0, 2.0], "d": [2]}, **options)
    assert found.skipped == 0 and found.data["all"].shape == (2, 1, 2)


def test_an_array_that_some_part_lacks_is_left_out(tmp_path):
    growing = Growing.begin(tmp_path / "one", {"axes": {"n": [1, 2]}, "trials": None})
    growing.parts.write(np.array([0]), {"y": np.ones(1), "z": np.ones(1)})
    growing.parts.write(np.array([1]), {"y": np.ones(1)})
    data = growing.dataset()
    assert list(data.data_vars) == ["y"] and data.attrs["left_out"] == ["z"]


def test_a_point_that_refuses_its_input_is_a_failure_of_that_point(tmp_path, monkeypatch):
    """In the probe too, which here computes the first points as one of many points would."""
    monkeypatch.setattr(engines.Local, "probe", lambda self, piece, how, points: work._arrays(piece) and None)

    def picky(alpha, d):
        if d == 3:
            raise BadInput(needed="another d", given="3", cure="None.")
        return alpha * d

    found = lab.sweep(picky, {"d": [3, 2], "alpha": [1.0, 2.0, 3.0]}, static=["d"], store=str(tmp_path))
    assert (found.done, found.failed) == (3, 3) and "another d" in found.failures["d=3, alpha=1"]


def test_too_many_points_are_refused_before_any_is_looked_at(monkeypatch):
    params = [Param("alpha", (1.0,)), Param("beta", "=10*alpha", high=1e9), Param("n", (1, 2, 3))]
    simulation = Simulation(lambda *, alpha, beta, n: {"y": beta * n}, params, {"y": ""}, random=False)
    monkeypatch.setattr(Grid, "values", lambda *_: pytest.fail("a point was looked at"))
    with pytest.raises(BadInput, match="1,200,000 points"):
        Grid.of(simulation, {"alpha": np.arange(400_000)})


def test_another_seed_is_refused_with_resume(tmp_path):
    options = {"host": True, "store": str(tmp_path)}
    found = lab.sweep(swept.half, {"n": [2]}, seed=5, **options)
    assert lab.sweep(swept.half, {"n": [2]}, resume=found.run, **options).skipped == 1
    with pytest.raises(BadInput, match="with seed 5; got 4"):
        lab.sweep(swept.half, {"n": [2]}, resume=found.run, seed=4, **options)


def test_whole_numbers_are_other_points_than_their_like(tmp_path):
    options = {"host": True, "store": str(tmp_path)}
    lab.sweep(swept.half, {"n": [2, 4]}, **options)
    assert lab.sweep(swept.half, {"n": [2.0, 4.0]}, **options).skipped == 0
    assert lab.sweep(swept.half, {"n": [4]}, **options).skipped == 1
