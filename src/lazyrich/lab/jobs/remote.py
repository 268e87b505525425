"""`python -m lazyrich.lab.jobs.remote JOB.json --out FILE.npz`: a claim's simulation, made on this machine for another.

Needs numpy, scipy, jax, equinox, diffrax and optax, and this package on the path. What is done is written every few
seconds to FILE.npz.part; the same command goes on from there.
"""

import argparse
import os
import pathlib
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import BadInput, StoreFault
from ..datasets import place
from ..machine import before_imports, environment, prepare
from ..parsing import take_turns

if TYPE_CHECKING:
    from ..runner import Runner
    from .job import Job

# Between two savings, in seconds; and a saving may take at most a twentieth of the time.
INTERVAL = 10.0
SHARE = 20.0

Notify = Callable[[int, int, float], None]


def run_job(
    job: "Job", out: pathlib.Path, notify: Notify = lambda done, total, seconds: None, *, shared: "Runner | None" = None
) -> None:
    """Run what is not yet done of a job, keep it in segments, and write it to `out` when whole.

    Jobs of one simulation that share one runner reuse its runs, and leave theirs to it.
    """
    from ..runner import Runner
    from . import job as jobs

    simulation, code = job.claim().simulation, job.claim().digest
    params = job.all_params(simulation)
    require_place(out)
    part = out.with_name(out.name + ".part")
    begun, last, cost = time.perf_counter(), time.perf_counter(), 0.0
    earlier: Mapping[str, Any] = {}

    def known() -> list[list[dict | None]]:
        return [runner.known(simulation, one, job.seed) for one in params]

    def made() -> dict[str, Any]:
        spent = earlier.get("seconds", 0.0) + time.perf_counter() - begun
        here = environment() | {"claim_source": code}
        return {"seconds": round(spent, 3), "segments": earlier.get("segments", 0) + 1, "environment": here}

    def save() -> None:
        nonlocal last, cost
        start = time.perf_counter()
        jobs.pack(part, job, known(), made())
        last = time.perf_counter()
        cost = last - start

    def after(what: str, *_: int) -> None:
        nonlocal ready
        ready += 1
        notify(ready, total, earlier.get("seconds", 0.0) + time.perf_counter() - begun)
        if time.perf_counter() - last > max(INTERVAL, SHARE * cost):
            save()

    runner = Runner(after, threads=_threads())
    if part.exists():
        earlier = _go_on(jobs, part, job, runner, simulation, params)
    _pass_on(simulation, params, job.seed, shared, runner)
    ready, total = 0, sum(len(block) for block in known())
    try:
        for one in params:
            ready = sum(run is not None for block in known() for run in block)
            runner.run(simulation, one, job.seed)
    finally:
        save()
        _pass_on(simulation, params, job.seed, runner, shared)
    part.replace(out)


def require_place(out: pathlib.Path) -> None:
    """See that the file can be written, or say why it cannot be: before any work."""
    if not out.name or out.is_dir():
        raise BadInput(needed="--out is the name of a file", given=f"{str(out)!r}, a folder", cure="Add a FILE.npz.")
    probe = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"lazyrich")
        probe.unlink()
    except OSError as error:
        raise StoreFault(
            needed="--out needs a place that can be written to, with room in it",
            given=f"{out} ({error.strerror or error})",
            cure="Choose another.",
        ) from error


def _go_on(jobs, part: pathlib.Path, job, runner, simulation, params) -> Mapping[str, Any]:
    """Take up the segments that another process left, if they belong to this job."""
    found, blocks, made = jobs.unpack(part)
    if found.as_json() != job.as_json() or made["environment"].get("claim_source") != job.claim().digest:
        raise BadInput(
            needed=f"{part} holds the segments of the job to go on with",
            given=f"those of {found.id} with other parameters, seed or code",
            cure="Choose another --out, or remove the file.",
        )
    for one, runs in zip(params, blocks, strict=True):
        runner.learn(simulation, one, job.seed, runs)
    return made


def _pass_on(simulation, params, seed: int, source: "Runner | None", target: "Runner | None") -> None:
    """Let one runner remember the runs of another; without either there is nothing to do."""
    if source is None or target is None:
        return
    for one in params:
        target.learn(simulation, one, seed, source.known(simulation, one, seed))


def _threads() -> int:
    """Two on a CPU; one where a device works on one program at a time."""
    import jax

    return 2 if jax.default_backend() == "cpu" else 1


def _stop(*_: Any) -> None:
    """Asked to end, as by Ctrl-C."""
    raise KeyboardInterrupt


def _tell(done: int, total: int, seconds: float) -> None:
    left = seconds / done * (total - done)
    print(f"\rremote: {done} of {total} runs, about {left:.0f} s left ", end="", file=sys.stderr, flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m lazyrich.lab.jobs.remote",
        description="Run a job that `lazyrich run ID --job JOB.json` wrote; bring FILE.npz home with `lazyrich import`.",
        epilog="Example: python -m lazyrich.lab.jobs.remote job.json --out job.npz",
    )
    parser.add_argument("job", metavar="JOB.json", type=pathlib.Path, help="what to run")
    parser.add_argument("--out", metavar="FILE.npz", type=pathlib.Path, required=True, help="where to put what comes of it")
    parser.add_argument("--data", metavar="DIR", type=pathlib.Path, help="the folder of data sets, where one is needed")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    asked = parser.parse_args(words)
    before_imports()
    take_turns()
    if asked.data is not None:
        place(asked.data)
    signal.signal(signal.SIGTERM, _stop)
    try:
        return _work(asked.job, asked.out)
    except KeyboardInterrupt:
        print(f"\nremote: interrupted; what is done is in {asked.out}.part; the same command goes on", file=sys.stderr)
        return 130
    except (BadInput, StoreFault, OSError) as refusal:
        if asked.debug:
            raise
        print(f"\nremote: {refusal}", file=sys.stderr)
        return 2 if isinstance(refusal, BadInput) else 4


def _work(file: pathlib.Path, out: pathlib.Path) -> int:
    from .job import Job

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            needed="a job file", given=f"{file} ({error})", cure="Write one: lazyrich run ID --job FILE.json"
        ) from error
    job = Job.from_json(text, str(file))
    prepare()
    run_job(job, out, _tell)
    print(f"\nremote: {job.id} is in {out}; bring it home with `lazyrich import`", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
