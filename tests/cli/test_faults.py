"""What can go wrong with the machine and the store: said in words, with exit code 4, and nothing that was kept is lost."""

import errno
import json
import os
import runpy
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from interruptible import LAZYRICH
from typer.testing import CliRunner

from lazyrich.cli.app import app
from lazyrich.lab.jobs import remote
from lazyrich.lab.store.store import Store

CLAIM = ("woodworth2020/lemma_6", "--set", "eps=0.1,0.2")
# What no machine is done with in a second after the claim above.
LONG = ("woodworth2020/sample_complexity",)


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory, lazyrich):
    """A store of two runs, made by two processes."""
    folder = tmp_path_factory.mktemp("two") / "lazyrich-runs"
    for seed in ("1", "2"):
        assert lazyrich("check", *CLAIM, "--seed", seed, "--store", str(folder)).returncode == 0
    return folder


@pytest.fixture
def stored(two_runs):
    """The names of two runs in a store here."""
    shutil.copytree(two_runs, "lazyrich-runs")
    return Store().names()


def spoken(done: subprocess.CompletedProcess, code: int = 4) -> str:
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return " ".join(done.stderr.split())


def test_a_store_that_cannot_be_written_to_is_refused_before_any_work(here, monkeypatch):
    Path("file").write_text("no folder")
    monkeypatch.setattr("lazyrich.api.check.judge", None)
    said = spoken(here("check", *CLAIM, "--store", "file"))
    assert "--store" in said and "file" in said
    assert Path("file").read_text() == "no folder"


def test_a_full_store_is_said():
    """No file may grow beyond two kilobytes: the catalogue cannot even be begun."""
    words = [sys.executable, "-m", "lazyrich", "check", *CLAIM, "--store", "full"]
    limited = ["bash", "-c", 'ulimit -f 2 && exec "$@"', "bash", *words]
    assert "Free some space" in spoken(subprocess.run(limited, capture_output=True, text=True))


def test_a_store_that_fills_up_meanwhile_keeps_the_verdict(monkeypatch):
    def full(*args, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("xarray.Dataset.to_zarr", full)
    done = CliRunner().invoke(app, ["check", *CLAIM, "--json"])
    found = json.loads(done.stdout)
    assert done.exit_code == 4 and found["summary"]["holds"] == 1 and found["results"][0]["run"] is None
    assert "No space left" in done.stderr and "Free some space" in done.stderr
    assert Store().names() == [] and list(Path("lazyrich-runs/runs").iterdir()) == []


def test_figures_that_cannot_be_written_are_refused_before_any_work(here):
    Path("file").write_text("no folder")
    assert "--out" in spoken(here("run", *CLAIM, "--out", "file/figures"))
    assert not Path("lazyrich-runs").exists()


def test_a_half_written_run_is_never_listed(here, stored):
    whole = Path("lazyrich-runs/runs") / f"{stored[0]}.zarr"
    shutil.copytree(whole, whole.with_name(f"20300101-000000-abcd.{os.uname().nodename}.{2**22 + 1}.part"))
    found = json.loads(here("runs", "--json").stdout)
    assert [row["run"] for row in found["runs"]] == stored
    assert json.loads(here("doctor", "--json").stdout)["store"]["unfinished"] == 1
    here("check", *CLAIM, "--seed", "3")
    assert not list(Path("lazyrich-runs/runs").glob("*.part")), "what a dead process left is swept out by the next writer"


def test_a_corrupted_run_is_named_and_the_others_listed(here, stored):
    chunk = next(
        path for path in Path("lazyrich-runs/runs", f"{stored[0]}.zarr").rglob("*") if path.is_file() and "c" in path.parts
    )
    chunk.write_bytes(chunk.read_bytes()[:-3])
    rows = json.loads(here("runs", "--json").stdout)["runs"]
    assert [row["run"] for row in rows] == stored
    assert "changed" in rows[0]["damaged"] and "damaged" not in rows[1]
    assert stored[0] in spoken(here("show", stored[0]))
    assert stored[0] in spoken(here("export", stored[0], "--to", "run.csv"))
    assert here("show", stored[1]).returncode == 0
    doctor = here("doctor", "--json")
    assert doctor.returncode == 4 and stored[0] in json.loads(doctor.stdout)["trouble"][0]


def test_a_catalogue_from_a_newer_version_is_refused(here, stored):
    with sqlite3.connect("lazyrich-runs/catalogue.sqlite") as connection:
        connection.execute("INSERT INTO catalogue VALUES (99)")
    connection.close()
    for words in (["runs"], ["check", *CLAIM], ["doctor"]):
        done = here(*words)
        assert done.returncode == 4
        assert "version 99" in " ".join((done.stdout + done.stderr).split()) and "Upgrade lazyrich" in done.stdout + done.stderr
    assert here("show", stored[0]).returncode == 0, "a run itself can still be read"


def test_a_lost_catalogue_is_made_anew(here, stored):
    for path in Path("lazyrich-runs").glob("catalogue*"):
        path.unlink()
    assert [row["run"] for row in json.loads(here("runs", "--json").stdout)["runs"]] == stored


def test_a_broken_catalogue_is_said_with_what_to_do(here, stored):
    Path("lazyrich-runs/catalogue.sqlite").write_bytes(b"no database at all" * 100)
    assert "move it away" in spoken(here("runs"))
    Path("lazyrich-runs/catalogue.sqlite").unlink()
    assert len(json.loads(here("runs", "--json").stdout)["runs"]) == 2


@pytest.mark.parametrize("words", ["list --json", "check woodworth2020/lemma_6 --json", "runs --json"])
def test_a_closed_pipe_is_no_fault(words):
    script = f"{sys.executable} -m lazyrich {words} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on():
    command = [*LAZYRICH, "check", *CLAIM[:1], *LONG, "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while not Store().names() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(1)  # the first claim is done, another at work
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130 and "--reuse" in err and "Traceback" not in err
    assert [result["run"] for result in json.loads(out)["results"]] == Store().names()
    again = CliRunner().invoke(app, ["check", *CLAIM[:1], "--reuse", "--json"])
    assert json.loads(again.stdout)["results"][0]["run"] == Store().names()[0]


def test_no_traceback_without_debug():
    """An error that nobody thought of: one sentence, exit code 4, and --debug shows where."""
    sabotage = "import lazyrich.cli, lazyrich.claims, sys; lazyrich.claims.find = None; "
    sabotage += "sys.argv = ['lazyrich', *{words}]; lazyrich.cli.main()"
    plain, debug = (
        subprocess.run([sys.executable, "-c", sabotage.format(words=words)], capture_output=True, text=True)
        for words in (["calibrate", "x"], ["calibrate", "x", "--debug"])
    )
    assert "--debug" in spoken(plain)
    assert "Traceback" in debug.stderr and debug.returncode != 0


@pytest.fixture
def job(here):
    assert here("run", *CLAIM, "--job", "job.json").returncode == 0
    assert remote.main(["job.json", "--out", "job.npz"]) == 0
    return Path("job.npz")


def test_a_simulation_made_elsewhere_comes_home(here, job):
    done = here("import", "job.npz", "--json")
    found = json.loads(done.stdout)["results"][0]
    assert done.returncode == 0 and found["verdict"] == "holds" and Path(found["files"][0]).exists()
    here = json.loads(here("check", *CLAIM, "--json").stdout)["results"][0]
    assert found["holds"] == here["holds"] and found["controls"] == here["controls"] and found["params"] == here["params"]
    assert "elsewhere" in Store().load(found["run"]).attrs


def test_bad_files_are_not_imported(here, job):
    class Trap:
        def __reduce__(self):
            return (Path("sprung").touch, ())

    Path("cut.npz").write_bytes(job.read_bytes()[: job.stat().st_size // 2])
    with np.load(job) as file:
        arrays = dict(file)
    np.savez("pickled.npz", **{**arrays, "0/excess": np.array([Trap()], dtype=object)})
    np.savez("other.npz", **{**arrays, "job": np.array(str(arrays["job"]).replace("lemma_6", "theorem_1"))})
    np.savez("foreign.npz", x=np.ones(3))
    for name, said in {
        "cut.npz": "cut short",
        "pickled.npz": "never opened",
        "other.npz": "not those that were written",
        "foreign.npz": "arrays named x",
    }.items():
        assert said in spoken(here("import", name), 2), name
    assert not Path("sprung").exists() and Store().names() == []


@pytest.mark.slow
def test_two_processes_write_to_one_store_at_once():
    words = [sys.executable, "-m", "lazyrich", "check", *CLAIM, "--json", "--seed"]
    both = [subprocess.Popen([*words, str(seed)], stdout=subprocess.PIPE, text=True) for seed in range(4)]
    runs = {json.loads(process.communicate()[0])["results"][0]["run"] for process in both}
    assert runs == set(Store().names()) == {row["run"] for row in Store().rows()} and len(runs) == 4


@pytest.mark.slow
def test_kill_9_at_any_moment_leaves_only_whole_runs():
    """Ten of the hundred kills that the script under benchmarks/ makes."""
    kill = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "kill_runs.py"))["kill"]
    found = kill(Path("store").absolute(), kills=10, seed=3)
    assert found["lost"] == found["listed but not whole"] == 0 and found["whole runs"] >= 1
    assert found["caught while writing"] >= 1, "no kill came while a run was being written: nothing was tested"
