import json
import os
import signal
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.api import jobs as api
from lazyrich.claims import every
from lazyrich.lab import Param, Runner, Simulation
from lazyrich.lab.jobs import job as jobs
from lazyrich.lab.jobs import remote
from lazyrich.lab.jobs.job import Job
from lazyrich.lab.provenance.source import source

TOY = "lazyrich.papers.toy2020.item"
DIGEST = "0123456789abcdef"
CACHE = Path(__file__).parents[3] / ".pytest_cache" / "xla"


def simulate(key, *, alpha, n):
    return {"end": alpha * jr.normal(key, (n,)), "outcome": jnp.where(alpha > 3, 1, 0)}


SIMULATION = Simulation(
    simulate, [Param("alpha", (1.0, 2.0, 4.0), low=0), Param("n", 3, static=True)], returns={"end": "d", "outcome": ""}
)


@pytest.fixture(autouse=True)
def own_process(monkeypatch):
    """The command is called here as if in a process of its own; what it changes is put back."""
    monkeypatch.setenv("EQX_ON_ERROR", "raise")
    before = signal.getsignal(signal.SIGTERM)
    module = types.ModuleType(TOY)
    module.CLAIM = types.SimpleNamespace(id="toy2020/item", simulation=SIMULATION, digest=DIGEST)
    monkeypatch.setitem(sys.modules, TOY, module)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def job(tmp_path):
    """A job of two params with 12 and 4 runs, and where it is to go."""
    params = [{"alpha": [1.0, 2.0, 4.0], "trials": 4}, {"alpha": [8.0], "trials": 4}]
    job = Job("toy2020/item", TOY, "quick", 7, {}, params, source())
    (tmp_path / "job.json").write_text(job.as_json())
    return job, tmp_path / "out" / "job.npz"


def call(out: Path, *more: str) -> int:
    return remote.main([str(out.parents[1] / "job.json"), "--out", str(out), *more])


def in_one_go(job: Job) -> list[list[dict]]:
    return [Runner(threads=1).run(SIMULATION, one, job.seed) for one in job.all_params(SIMULATION)]


def assert_equal(blocks, others) -> None:
    for runs, again in zip(blocks, others, strict=True):
        for run, other in zip(runs, again, strict=True):
            assert set(run) == set(other)
            for name in run:
                assert run[name].dtype == other[name].dtype and run[name].tobytes() == other[name].tobytes()


def part(out: Path) -> Path:
    return out.with_name(out.name + ".part")


def test_a_second_job_on_one_runner_runs_only_what_is_new(job, tmp_path):
    job, out = job
    shared, begun = Runner(), []
    remote.run_job(job, out, shared=shared)
    wider = replace(job, params=[{"alpha": [1.0, 2.0, 4.0, 8.0, 16.0], "trials": 4}])
    remote.run_job(wider, tmp_path / "wider.npz", lambda done, total, _: begun.append((done, total)), shared=shared)
    assert sorted(begun) == [(done, 20) for done in range(17, 21)]
    assert_equal(jobs.unpack(tmp_path / "wider.npz")[1], in_one_go(wider))


def test_what_is_made_elsewhere_is_what_is_made_here(job, capsys):
    job, out = job
    assert call(out) == 0
    found, blocks, made = jobs.unpack(out)
    assert found.as_json() == job.as_json() and made["segments"] == 1 and made["environment"]["precision"] == "float64"
    assert_equal(blocks, in_one_go(job))
    assert list(out.parent.iterdir()) == [out]
    said = capsys.readouterr()
    assert said.out == "" and "16 of 16 runs" in said.err and "lazyrich import" in said.err


def test_a_real_claim(tmp_path, capsys):
    (tmp_path / "out").mkdir()
    api.write_job("woodworth2020/lemma_6", size="smoke", seed=0, changes={"eps": (0.1, 0.2)}, file=tmp_path / "job.json")
    assert call(tmp_path / "out" / "job.npz") == 0
    job, blocks, _ = jobs.unpack(tmp_path / "out" / "job.npz")
    simulation = job.claim().simulation
    (params,) = job.all_params(simulation)
    jobs.require_fit(simulation, params, blocks[0], tmp_path)
    assert_equal(blocks, [Runner().run(simulation, params, 0)])


@pytest.mark.parametrize("how", ["ctrl-c", "terminated", "error"])
@pytest.mark.parametrize("after", [1, 5, 13])
def test_what_is_done_is_kept_and_the_same_command_goes_on(job, monkeypatch, capsys, after, how):
    job, out = job

    def stop(done, total, seconds):
        if done == after:
            if how == "terminated":
                os.kill(os.getpid(), signal.SIGTERM)
            else:
                raise KeyboardInterrupt if how == "ctrl-c" else OSError(5, "Input/output error")

    monkeypatch.setattr(remote, "_tell", stop)
    monkeypatch.setattr(remote, "_threads", lambda: 1)
    assert call(out) == (4 if how == "error" else 130)
    assert how == "error" or "the same command goes on" in capsys.readouterr().err
    assert list(out.parent.iterdir()) == [part(out)]
    _, blocks, made = jobs.unpack(part(out))
    assert sum(run is not None for runs in blocks for run in runs) == after and made["segments"] == 1

    reports = []
    monkeypatch.setattr(remote, "_tell", lambda *one: reports.append(one[:2]))
    assert call(out) == 0
    assert reports == [(done, 16) for done in range(after + 1, 17)], "only the rest is run"
    _, blocks, made = jobs.unpack(out)
    assert_equal(blocks, in_one_go(job))
    assert made["segments"] == 2 and list(out.parent.iterdir()) == [out]


def test_two_threads_give_the_same_numbers(job, monkeypatch):
    job, out = job
    monkeypatch.setattr(remote, "_threads", lambda: 2)

    def stop(done, total, seconds):
        if done >= 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(remote, "_tell", stop)
    assert call(out) == 130
    monkeypatch.setattr(remote, "_tell", lambda *one: None)
    assert call(out) == 0
    assert_equal(jobs.unpack(out)[1], in_one_go(job))


def test_long_work_is_kept_now_and_then(job, monkeypatch):
    job, out = job
    kept = []

    def look(done, total, seconds):
        blocks = jobs.unpack(part(out))[1] if part(out).exists() else []
        kept.append(sum(run is not None for runs in blocks for run in runs))

    for name in ("INTERVAL", "SHARE"):
        monkeypatch.setattr(remote, name, 0.0)
    monkeypatch.setattr(remote, "_tell", look)
    monkeypatch.setattr(remote, "_threads", lambda: 1)
    assert call(out) == 0
    assert kept == list(range(16))


@pytest.mark.parametrize("other", [{"seed": 8}, {"source": "another"}, {"params": [{"alpha": [1.0], "trials": 4}]}])
def test_the_segments_of_another_job_are_refused(job, capsys, other):
    job, out = job
    out.parent.mkdir()
    theirs = Job(**(json.loads(job.as_json())["job"] | other))
    blocks = [[None] * 12, [None] * 4][: len(theirs.params)]
    jobs.pack(part(out), theirs, blocks, {"seconds": 1.0, "segments": 1, "environment": {"claim_source": DIGEST}})
    before = part(out).read_bytes()
    assert call(out) == 2
    assert "with other parameters, seed or code" in capsys.readouterr().err
    assert part(out).read_bytes() == before and not out.exists()


def test_the_segments_of_other_code_are_refused(job, capsys):
    job, out = job
    out.parent.mkdir()
    for code in ({"claim_source": "another"}, {}):
        made = {"seconds": 1.0, "segments": 1, "environment": {"source": source(), **code}}
        jobs.pack(part(out), job, [[None] * 12, [None] * 4], made)
        assert call(out) == 2
        assert "or code" in capsys.readouterr().err


def test_a_change_elsewhere_in_the_code_stops_no_job(job):
    """Segments are of the same code if what the simulation depends on is the same."""
    job, out = job
    out.parent.mkdir()
    made = {"seconds": 1.0, "segments": 1, "environment": {"source": "another", "claim_source": DIGEST}}
    jobs.pack(part(out), job, [[None] * 12, [None] * 4], made)
    assert call(out) == 0
    made = jobs.unpack(out)[2]
    assert made["segments"] == 2 and made["environment"]["claim_source"] == DIGEST


def test_broken_segments_are_refused(job, capsys):
    job, out = job
    out.parent.mkdir()
    part(out).write_bytes(b"PK\x03\x04 and no more")
    assert call(out) == 2
    assert "cut short" in capsys.readouterr().err


def test_bad_jobs_are_refused_before_any_work(tmp_path, capsys):
    out = tmp_path / "out" / "job.npz"
    assert call(out) == 2 and "lazyrich run ID --job" in capsys.readouterr().err
    (tmp_path / "job.json").write_bytes(b"\xff\xfe")
    assert call(out) == 2
    (tmp_path / "job.json").write_text('{"job": {}}')
    assert call(out) == 2 and "a job is what" in capsys.readouterr().err
    wrong = Job("toy2020/item", TOY, "quick", 7, {}, [{"alfa": 1.0}], source())
    (tmp_path / "job.json").write_text(wrong.as_json())
    assert call(out) == 2 and "Did you mean alpha" in capsys.readouterr().err
    assert not out.parent.exists()
    for words in ([], ["job.json"], ["--out", "x.npz"]):
        with pytest.raises(SystemExit, match="2"):
            remote.main(words)


def test_a_place_that_cannot_be_written_to_is_said_before_any_work(job, tmp_path, monkeypatch, capsys):
    def never(*anything):
        raise AssertionError("something was run")

    monkeypatch.setattr(remote, "_tell", never)
    (tmp_path / "file").write_text("no folder")
    assert remote.main([str(tmp_path / "job.json"), "--out", str(tmp_path / "file" / "job.npz")]) == 4
    assert "Choose another" in capsys.readouterr().err
    for folder in (str(tmp_path), "."):
        assert remote.main([str(tmp_path / "job.json"), "--out", folder]) == 2
        assert "a folder. Add a FILE.npz" in capsys.readouterr().err


def test_what_was_run_is_kept_if_its_name_cannot_be_given(job, monkeypatch, capsys):
    """A folder appears in the place of the file meanwhile."""
    job, out = job
    monkeypatch.setattr(remote, "_tell", lambda done, total, seconds: done < total or out.mkdir())
    assert call(out) == 4
    assert_equal(jobs.unpack(part(out))[1], in_one_go(job))


def test_debug_shows_where(tmp_path):
    with pytest.raises(ValueError, match="a job file"):
        call(tmp_path / "out" / "job.npz", "--debug")


RESTRICTED = '''
import sys
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder

ALLOWED = set(
    "numpy scipy jax jaxlib equinox diffrax optax lineax optimistix jaxtyping typing_extensions wadler_lindig opt_einsum "
    "ml_dtypes chex absl toolz lazyrich".split()
) | set(sys.stdlib_module_names)


class Bare(PathFinder):
    """Finds nothing else, as where nothing else is installed: packages look for others without needing them."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        known = name.partition(".")[0] in ALLOWED or name.startswith("_sysconfigdata")
        return super().find_spec(name, path, target) if known else None


sys.meta_path[:] = [BuiltinImporter, FrozenImporter, Bare]
for name in "xarray zarr pandas sqlalchemy typer rich pydantic matplotlib sklearn cvxpy clarabel".split():
    try:
        __import__(name)
    except ModuleNotFoundError:
        continue
    sys.exit(f"{name} can be imported")
'''


def on_a_bare_machine(code: str, *words: str, **env: str) -> subprocess.CompletedProcess:
    """Python where only the few packages that a job needs can be imported."""
    command = [sys.executable, "-c", RESTRICTED + code, *words]
    kept = {name: value for name, value in os.environ.items() if name != "EQX_ON_ERROR"}
    return subprocess.run(command, capture_output=True, text=True, env=kept | env)


def test_every_claim_can_be_taken_up_on_a_bare_machine(tmp_path):
    claims = [claim for claim in every() if claim.kind != "drawing"]
    for claim in claims:
        file = tmp_path / f"{claim.id.replace('/', '-')}.json"
        api.write_job(claim.id, size="paper", seed=0, changes={}, file=file)
    code = """
import pathlib
from lazyrich.lab.jobs import remote
from lazyrich.lab.runner import Runner
from lazyrich.lab.jobs.job import Job
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    job = Job.from_json(path.read_text(), str(path))
    simulation = job.claim().simulation
    print(job.id, *(len(Runner().known(simulation, one, job.seed)) for one in job.all_params(simulation)))
"""
    done = on_a_bare_machine(code, str(tmp_path))
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert sorted(line[0] for line in lines) == sorted(claim.id for claim in claims)
    assert all(int(count) > 0 for line in lines for count in line[1:])


@pytest.mark.slow
def test_a_job_is_run_on_a_bare_machine(tmp_path):
    api.write_job("lyu2024/data_collapse", size="smoke", seed=3, changes={}, file=tmp_path / "job.json")
    code = "from lazyrich.lab.jobs.remote import main\nsys.exit(main(sys.argv[1:]))"
    words = [str(tmp_path / "job.json"), "--out", str(tmp_path / "job.npz")]
    done = on_a_bare_machine(code, *words, JAX_COMPILATION_CACHE_DIR=str(CACHE))
    assert done.returncode == 0, done.stderr
    job, blocks, made = jobs.unpack(tmp_path / "job.npz")
    simulation = job.claim().simulation
    for params, runs in zip(job.all_params(simulation), blocks, strict=True):
        jobs.require_fit(simulation, params, runs, tmp_path)
        assert all(np.all(run["outcome"] <= 1) for run in runs)
    assert made["environment"]["source"] == source() == job.source
    assert made["environment"]["claim_source"] == job.claim().digest
