import json
import os
import signal
import subprocess
import time
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from interruptible import LAZYRICH

import lazyrich as lz
from lazyrich.lab import Store

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
# A formula of numbers, compiled in no time; its third axis has one value.
WORDS = ("woodworth2020/lemma_6", "--over", "eps=0.1,0.2,0.4", "--over", "over=lin:2:4:3", "--set", "d=100")


def validated(text: str, name: str = "sweep") -> dict:
    found = json.loads(text)
    jsonschema.validate(found, json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8")))
    return found


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A finished sweep, made by the function behind the command."""
    folder = tmp_path_factory.mktemp("swept") / "store"
    axes = {"eps": (0.1, 0.2, 0.4), "over": (2.0, 3.0, 4.0)}
    return lz.sweep("woodworth2020/lemma_6", axes, changes={"d": 100.0}, store=str(folder))


def test_a_sweep_prints_one_document_and_is_stored(here):
    done = here("sweep", *WORDS, "--json")
    found = validated(done.stdout)
    assert done.returncode == 0, done.stderr
    assert (found["points"], found["done"], found["failed"], found["skipped"]) == (9, 9, 0, 0)
    assert found["axes"]["over"] == [2.0, 3.0, 4.0] and found["axes"]["eps"] == [0.1, 0.2, 0.4]
    again = here("sweep", *WORDS, "--json")
    assert validated(again.stdout)["skipped"] == 9 and f"taken from the sweep {found['run']}" in again.stderr
    rows = validated(here("runs", "--json").stdout, "runs")["runs"]
    assert [row["kind"] for row in rows] == ["sweep", "sweep"]
    assert here("runs", "--where", "eps == 0.4 and kind == 'sweep'", "--json").stdout.count('"run"') == 2


def test_json_lines_are_one_for_each_group_and_one_at_the_end(here):
    lines = here("sweep", *WORDS, "--json-lines").stdout.splitlines()
    groups, last = [json.loads(line) for line in lines[:-1]], validated(lines[-1])
    assert sum(group["points"] for group in groups) == last["points"] == 9 and groups[-1]["groups"] == len(groups)


def test_the_numbers_are_those_of_the_claim(swept):
    from lazyrich.claims import find
    from lazyrich.lab import Runner

    claim = find("woodworth2020/lemma_6")
    beside = Runner().simulate(claim.simulation, claim.resolve("quick", {"eps": (0.1, 0.2, 0.4), "over": 3.0, "d": 100.0}), 0)
    data = lz.load(swept.run, store=swept.store)
    for name in beside.data_vars:
        np.testing.assert_allclose(data[name].sel(over=[3.0]), beside[name], rtol=1e-12)


def test_show_draws_a_map_and_a_curve(here, swept, tmp_path):
    words = ("show", swept.run, "--store", swept.store, "--out", str(tmp_path))
    found = json.loads(here(*words, "--json", "--edge", "eps*over").stdout)
    assert [Path(file).suffix for file in found["files"]] == [".png", ".svg", ".csv"]
    table = Path(found["files"][2]).read_text()
    assert "eps*over = 1" in table and Path(found["files"][0]).stat().st_size > 10_000
    done = here(*words, "--x", "over", "--at", "eps=0.2")
    assert done.returncode == 0 and "9 of 9" in done.stdout and "At eps = 0.2" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "takes the ID of a claim"),
        (("woodworth2020/lemma_6",), "needs an axis"),
        (("woodworth2020/lemma_6", "--over", "epsilon=1,2"), "Did you mean eps"),
        (("woodworth2020/lemma_6", "--over", "eps=0.1,-1"), "at the point eps=-1"),
        (("woodworth2020/lemma_6", "--over", "eps=0.1", "--set", "eps=0.2"), "swept or set"),
        (("woodworth2020/lemma_6", "--over", "eps=lin:0.01:0.9:1500", "--over", "over=lin:2:4:1000"), "--yes"),
        (("woodworth2020/lemma_6", "--over", "eps=0.1", "--engine", "gpu"), "an engine is local"),
        (("woodworth2020/figure_4", "--over", "eps=0.1"), "a drawing of a model"),
        (("--resume", "abcd"), "There are none yet"),
        (("woodworth2020/lemma_6", "--over", "eps=0.1", "--json", "--json-lines"), "one of --json and --json-lines"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_stored(here, tmp_path, words, said):
    done = here("sweep", *words)
    assert done.returncode == 2 and said in done.stderr and done.stdout == ""
    assert not list(tmp_path.glob("lazyrich-runs/sweeps/*"))


def test_a_failure_exits_4_and_keeps_the_rest(here, monkeypatch):
    from lazyrich.lab.sweeps import work

    compute = work._arrays

    def failing(piece):
        if (piece.traced["eps"] == 0.2).any():
            raise ArithmeticError("no")
        return compute(piece)

    monkeypatch.setattr(work, "_arrays", failing)
    done = here("sweep", *WORDS, "--json")
    found = validated(done.stdout)
    assert done.returncode == 4 and (found["done"], found["failed"]) == (6, 3) and "ArithmeticError: no" in done.stderr
    shown = json.loads(here("show", "latest", "--json").stdout)
    assert {one["at"]["eps"] for one in shown["failures"].values()} == {0.2} and shown["done"] == 6


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--seed", "1"), "with seed 0; got 1"),
        (("--size", "paper"), "with size quick; got paper"),
        (("--set", "d=50"), "with d [100.0]; got [50.0]"),
    ],
)
def test_other_settings_are_refused_with_resume(here, swept, more, said):
    words = ("sweep", "--resume", swept.run, "--store", swept.store)
    done = here(*words, *more)
    assert done.returncode == 2 and said in done.stderr
    assert here(*words, "--seed", "0", "--size", "quick", "--set", "d=100").returncode == 0


def test_a_sweep_without_a_picture_is_told(here):
    one = here("sweep", "woodworth2020/lemma_6", "--over", "eps=0.1", "--set", "over=2", "--set", "d=100")
    assert one.returncode == 0, one.stderr
    done = here("show", "latest", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["files"] == [] and "not drawn" in done.stderr
    assert here("show", "latest", "--x", "eps").returncode == 2


def test_hints_have_no_password():
    from lazyrich.cli import sweeping

    assert sweeping._at("postgresql://me:secret@host/base") == " --store postgresql://me:***@host/base"


@pytest.mark.slow
def test_ctrl_c_says_how_to_resume_and_resume_does_the_rest(here, tmp_path):
    """Many points of a claim that takes a while; the interrupt comes after the first part is there."""
    words = [*LAZYRICH, "sweep", "woodworth2020/lemma_6", "--over", "eps=lin:0.01:0.5:500"]
    words += ["--over", "over=lin:2:4:500", "--set", "d=100"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + 300
    while process.poll() is None and not list(tmp_path.glob("lazyrich-runs/sweeps/*/parts/*.npz")):
        assert time.monotonic() < end
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "lazyrich sweep --resume" in said, said
    (growing,) = Store("lazyrich-runs").growing()
    assert growing.run in said and 0 < growing.done().sum() < 250_000
    assert here("runs").stdout.count("growing") == 1
    wrong = here("sweep", "woodworth2020/lemma_5", "--resume", growing.run)
    assert wrong.returncode == 2 and "is of woodworth2020/lemma_6" in wrong.stderr
    with growing.held():
        second = here("sweep", "--resume", growing.run)
        assert second.returncode == 2 and "one coordinator" in second.stderr
    found = validated(here("sweep", "--resume", growing.run, "--json").stdout)
    assert found["run"] == growing.run and found["done"] + found["skipped"] == found["points"] == 250_000
    assert found["skipped"] > 0 and lz.load(growing.run).attrs["done"] == 250_000
