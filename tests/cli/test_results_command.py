"""`python -m lazyrich.cli.results`, as `make results` calls it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lazyrich.claims import every, find
from lazyrich.cli import results as command
from lazyrich.cli.app import answer
from lazyrich.errors import StoreFault
from lazyrich.lab import Store
from lazyrich.lab.jobs import remote
from lazyrich.lab.jobs.job import Job
from lazyrich.report.records import read

LEMMA, ERRATUM, DRAWING = "woodworth2020/lemma_6", "woodworth2020/quartic_root", "woodworth2020/figure_4"
TO = Path("records")


@pytest.fixture(autouse=True)
def signals():
    """The command lets SIGTERM interrupt it; here that is put back."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def call(capfd, monkeypatch):
    def call(*words: str) -> subprocess.CompletedProcess:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["results", *words, "--to", str(TO)])
        with pytest.raises(SystemExit) as exit:
            answer(command.app, "make results")
        said = capfd.readouterr()
        return subprocess.CompletedProcess(words, exit.value.code or 0, said.out, said.err)

    return call


@pytest.fixture
def never(monkeypatch):
    """Nothing may be simulated any more."""

    def refuse():
        monkeypatch.setattr("lazyrich.lab.simulation.Simulation.program", None)

    return refuse


def test_records_are_made_once(call, never):
    done = call(LEMMA, DRAWING, LEMMA)
    assert done.returncode == 0 and "2 of 2 records made" in done.stdout, done.stderr
    found = read(TO)
    assert set(found) == {LEMMA, DRAWING} and not any(one.stale for one in found.values())
    assert found[LEMMA].verdict == "holds" and found[LEMMA].size == "paper"
    assert list(Path("lazyrich-runs/jobs").iterdir()) == []
    never()
    assert "0 of 2 records to make" in call(LEMMA, DRAWING).stdout
    shutil.rmtree(TO)
    assert "1 of 1 records made" in call(LEMMA).stdout, "the store has it"
    assert read(TO) == {LEMMA: found[LEMMA]}
    (TO / "woodworth2020-lemma_6.json").write_text("{")
    done = call(LEMMA)
    assert "is no record" in done.stderr and read(TO)[LEMMA] == found[LEMMA]


def test_a_run_of_the_command_line_becomes_a_record(call, here, never):
    here("run", LEMMA, "--size", "paper")
    here("run", LEMMA, "--size", "paper", "--seed", "1")
    never()
    assert call(LEMMA).returncode == 0 and call(ERRATUM, "--from-store").returncode == 0
    assert read(TO)[LEMMA].seed == 0 and set(read(TO)) == {LEMMA}


def test_a_changed_source_makes_it_run_again_unless_only_the_store_is_asked(call, monkeypatch):
    call(LEMMA)
    first = Store().names()
    monkeypatch.setitem(vars(find(LEMMA)), "digest", "f" * 16)
    done = call(LEMMA, "--from-store")
    assert "stale" in done.stdout and Store().names() == first and read(TO)[LEMMA].stale
    assert call(LEMMA).returncode == 0
    assert len(Store().names()) == 2 and not read(TO)[LEMMA].stale


def test_again_takes_no_run_of_other_code(call, monkeypatch):
    call(LEMMA)
    call(LEMMA, "--again")
    assert len(Store().names()) == 1, "no line of the code is another"
    monkeypatch.setattr("lazyrich.api.records.source", lambda: "0" * 16)
    call(LEMMA, "--again")
    assert len(Store().names()) == 2


def test_other_parameters_are_taken_only_if_asked_for(call, here):
    here("run", LEMMA, "--size", "paper", "--set", "eps=0.1,0.2")
    assert call(LEMMA, "--from-store").returncode == 0
    assert read(TO)[LEMMA].command.endswith("--set eps=0.1,0.2")
    shutil.rmtree(TO)
    call(LEMMA)
    assert read(TO)[LEMMA].command.endswith("--seed 0") and len(Store().names()) == 2


def test_it_goes_on_where_it_was_interrupted(call, monkeypatch):
    total, seen = 216, []

    def stop(title):
        class Watched:
            def __enter__(self):
                return lambda what, done, of: seen.append((done, of)) or (done == 100 and os.kill(os.getpid(), 15))

            def __exit__(self, *_):
                return None

        return Watched()

    monkeypatch.setattr(command, "watched", stop)
    monkeypatch.setattr(remote, "_threads", lambda: 1)
    done = call(LEMMA)
    assert done.returncode == 130 and "the same command continues" in done.stderr
    assert read(TO) == {} and Store().names() == [] and seen[-1] == (100, total)
    job = Path("lazyrich-runs/jobs") / f"woodworth2020-lemma_6-0-{find(LEMMA).digest}.json"
    assert {path.name for path in job.parent.iterdir()} == {job.name, f"{job.stem}.npz.part"}
    (job.parent / "woodworth2020-lemma_6-0-of_code_that_is_no_more.npz.part").touch()
    seen.clear()
    assert call(LEMMA).returncode == 0 and seen[0] == (101, total)
    assert list(job.parent.iterdir()) == [] and set(read(TO)) == {LEMMA}


def test_what_was_simulated_but_not_judged_is_judged(call, monkeypatch, never):
    with monkeypatch.context() as during:
        during.setattr("lazyrich.api.records.import_job", lambda *_, **__: (_ for _ in ()).throw(RuntimeError("died")))
        done = call(LEMMA)
    assert done.returncode == 4 and "has no record: RuntimeError: died" in done.stderr
    never()
    assert call(LEMMA).returncode == 0 and set(read(TO)) == {LEMMA}


def test_jobs_go_to_another_machine_and_come_home(call, never):
    done = call(LEMMA, ERRATUM, DRAWING, "--jobs", "jobs")
    assert "python -m lazyrich.lab.jobs.remote woodworth2020-lemma_6.json" in done.stdout
    assert set(read(TO)) == {DRAWING} and not Store().exists
    for file in sorted(Path("jobs").glob("*.json")):
        remote.run_job(Job.from_json(file.read_text(), str(file)), file.with_suffix(".npz"))
    never()
    Path("jobs/woodworth2020-quartic_root.npz").write_bytes(b"PK\x03\x04 and no more")
    done = call("--bring", "jobs", "--most", "2")
    assert done.returncode == 0 and "cut short" in done.stderr
    found = read(TO)
    assert found.keys() >= {LEMMA, DRAWING} and ERRATUM not in found and not found[LEMMA].stale
    runs = Store().names()
    call("--bring", "jobs", LEMMA)
    assert Store().names() == runs, "what is recorded is not judged again"


def test_one_claim_in_trouble_leaves_the_others_their_records(call, monkeypatch):
    from lazyrich.api import records

    def write_job(identity, **rest):
        if identity == ERRATUM:
            raise StoreFault(needed="room", given="none", cure="Make some.")
        return real(identity, **rest)

    real = records.write_job
    monkeypatch.setattr(records, "write_job", write_job)
    done = call(ERRATUM, LEMMA)
    assert done.returncode == 4 and "woodworth2020/quartic_root has no record: room" in done.stderr
    assert set(read(TO)) == {LEMMA}


def test_what_takes_too_long_or_lacks_its_data_is_left_out(call):
    count = len(list(every("lyu2024")))
    done = call("--paper", "lyu2024", "--most", "1")
    assert done.returncode == 0 and f"0 of {count} records to make; {count} more take over 1 s" in done.stdout
    done = call("woodworth2020/figure_8")
    assert done.returncode == 0 and "figure_8 is left out" in done.stderr and "cifar10" in done.stderr
    assert read(TO) == {}


@pytest.mark.parametrize(
    "words",
    [
        ("nobody/nothing",),
        ("--paper", "nobody"),
        (LEMMA, "--seed", "-1"),
        (LEMMA, "--from-store", "--jobs", "x"),
        (LEMMA, "--bring", "no-such-folder"),
        (LEMMA, "--data", "no-such-folder"),
    ],
)
def test_bad_input_is_refused_before_any_work(call, words):
    done = call(*words)
    assert done.returncode == 2 and done.stderr and read(TO) == {}
    assert not Path("lazyrich-runs").exists()


def test_a_damaged_run_is_said_and_another_taken(call):
    call(LEMMA)
    (path,) = Path("lazyrich-runs/runs").iterdir()
    next(file for file in path.rglob("*") if file.is_file() and file.name != "zarr.json").write_bytes(b"")
    shutil.rmtree(TO)
    done = call(LEMMA)
    assert done.returncode == 0 and "as it was written" in done.stderr and len(Store().names()) == 2
    assert json.loads((TO / "woodworth2020-lemma_6.json").read_text())["verdict"] == "holds"
