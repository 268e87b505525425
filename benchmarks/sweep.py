"""2,500 points (50 x 50 over scale and decay) of a diagonal net, d = 200, n = 40, as one command, beside other ways to do it.

python benchmarks/sweep.py                          # local; and beside `lazyrich run` in a loop and a plain compiled loop
python benchmarks/sweep.py --engine dask            # two processes
python benchmarks/sweep.py --here auto              # the points alone, in this process, on whatever device JAX finds
python benchmarks/sweep.py --here loop --threads 1  # the same in one thread
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

CLAIM = "lyu2024/figure_1a"
FIXED = {"d": 200, "n": 40, "trials": 1, "points": 100, "moments": 30, "horizon": 300.0}
ALPHA, DECAY = (4.0, 400.0), (1e-3, 1e-1)


def axes(side: int) -> dict[str, tuple]:
    import numpy as np

    return {"alpha": tuple(np.geomspace(*ALPHA, side).tolist()), "weight_decay": tuple(np.geomspace(*DECAY, side).tolist())}


def command(*words: str) -> tuple[float, float, dict]:
    """Wall and CPU seconds of one command, and what it printed."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    result = subprocess.run([sys.executable, "-m", "lazyrich", *words, "--json"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode not in (0, 1, 3):
        raise SystemExit(result.stderr)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begin, cpu, json.loads(result.stdout)


def sets() -> list[str]:
    return [word for name, value in FIXED.items() for word in ("--set", f"{name}={value}")]


def swept(side: int, engine: str, store: str) -> tuple[float, float]:
    over = [f"{name}=log:{low}:{high}:{side}" for name, (low, high) in (("alpha", ALPHA), ("weight_decay", DECAY))]
    words = ["sweep", CLAIM, "--over", over[0], "--over", over[1], *sets(), "--engine", engine, "--store", store]
    wall, cpu, result = command(*words)
    assert result["done"] == side**2, result
    return wall, cpu


def by_run(calls: int, store: str) -> tuple[float, float]:
    """Seconds a call of `lazyrich run`, which also judges, draws and stores."""
    found = [
        command("run", CLAIM, *sets(), "--set", f"alpha={4.0 + at}", "--set", "decay=0.01", "--store", store, "--out", store)
        for at in range(calls)
    ]
    return sum(one[0] for one in found) / calls, sum(one[1] for one in found) / calls


def plain_loop(side: int, every: int) -> tuple[float, float]:
    """Seconds of compiling one point, and CPU seconds a point of a loop over every so many of them, in one thread."""
    from lazyrich.claims import find
    from lazyrich.lab.machine import prepare
    from lazyrich.lab.runner import trial_key
    from lazyrich.lab.sweeps.grid import Grid

    prepare()
    grid = Grid.of(find(CLAIM).simulation, axes(side), fixed=FIXED)
    program, key = grid.simulation.program, trial_key(0, 0)
    begin = time.perf_counter()
    program(key, grid.values(0))["end"].block_until_ready()
    compiling, moment, some = time.perf_counter() - begin, time.process_time(), range(0, side**2, every)
    for at in some:
        program(key, grid.values(at))["end"].block_until_ready()
    return compiling, (time.process_time() - moment) / len(some)


def here(side: int, how: str, threads: int) -> None:
    """The points alone through the sweep's own pieces: needs JAX, equinox, diffrax and optax, no store."""
    import jax
    import numpy as np

    from lazyrich.claims import find
    from lazyrich.lab.machine import prepare
    from lazyrich.lab.sweeps.grid import Grid
    from lazyrich.lab.sweeps.work import Piece, compute, probe

    prepare()
    grid = Grid.of(find(CLAIM).simulation, axes(side), fixed=FIXED)
    (group,) = grid.groups()

    def piece(index: np.ndarray, way: str) -> Piece:
        values = (group.statics, index, grid.traced(index), grid.trials, 0)
        return Piece("bench", grid.simulation, *values, how=way, size=len(index), threads=threads)

    begin = time.perf_counter()
    pace = probe(piece(group.index[:: max(1, side**2 // 64)], how), how, side**2)
    print(f"{jax.devices()[0].device_kind}: {pace.how} by a probe of {time.perf_counter() - begin:.1f} s, {pace.ways}")
    for turn in ("with compilation", "again"):
        begin, cpu = time.perf_counter(), time.process_time()
        found = compute(piece(group.index, pace.how))
        wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
        print(f"{len(found.index)} points in {wall:.2f} s, CPU {cpu:.2f}, {turn}; failed {len(found.failures)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=50)
    parser.add_argument("--engine", default="local")
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--here", metavar="HOW")
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    if asked.here:
        here(asked.side, asked.here, asked.threads)
        sys.exit()
    points = asked.side**2
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = swept(asked.side, asked.engine, f"{folder}/swept")
        print(f"{points} points, {asked.engine}: {wall:.1f} s, CPU {cpu:.1f} s, load {os.getloadavg()[0]:.1f}")
        if asked.engine == "local":
            one, one_cpu = by_run(asked.calls, f"{folder}/runs")
            print(
                f"lazyrich run: {one:.2f} s a call, CPU {one_cpu:.2f}; {points} calls: {one_cpu * points / cpu:.0f} times the CPU"
            )
            compiling, each = plain_loop(asked.side, 10)
            print(f"a plain compiled loop: {compiling:.1f} s to compile, CPU {1e3 * each:.2f} ms a point, {each * points:.1f} s")
