"""SIGKILL at random moments of a sweep on two Dask workers: of a worker, or of the coordinator, and then a resume.

python benchmarks/kill_sweep.py --kills 20

After each every point must be there exactly once with its own number, and none that was kept may have been computed again.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

from lazyrich import lab
from lazyrich.lab import Store

GRID = {"alpha": [float(at) for at in range(1, 9)], "beta": [1.0, 3.0, 5.0, 7.0, 9.0]}
POINTS = len(GRID["alpha"]) * len(GRID["beta"])


def marked(alpha, beta, folder):
    """Notes who computes a point, and takes its time."""
    with (pathlib.Path(folder) / f"{alpha:g}-{beta:g}").open("a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(0.05)
    return alpha * beta


def child(store: str, marks: str, resume: str | None) -> None:
    lab.sweep(marked, GRID, fixed={"folder": marks}, host=True, store=store, engine="dask", resume=resume)


def launch(place: pathlib.Path, *resume: str) -> subprocess.Popen:
    words = [sys.executable, __file__, "--child", str(place / "store"), str(place / "marks"), *resume]
    return subprocess.Popen(words, stderr=subprocess.DEVNULL)


def trial(place: pathlib.Path, victim: str, chance: random.Random) -> bool:
    """One kill, a resume where it is needed, and whether all is as it must be."""
    (place / "marks").mkdir(parents=True)
    process = launch(place)
    while process.poll() is None and not list(place.glob("store/sweeps/*/parts/*.npz")):
        time.sleep(0.01)
    time.sleep(chance.uniform(0, 0.8))
    worker = int(chance.choice(list((place / "marks").iterdir())).read_text().split()[-1])
    try:
        os.kill(worker if victim == "worker" else process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it was quicker
    process.wait(timeout=180)
    store, kept, before = Store(place / "store"), 0, {}
    if growing := store.growing():
        kept = int(growing[0].done().sum())
        before = {path.name: path.read_text() for path in (place / "marks").iterdir()}
        while pathlib.Path(f"/proc/{worker}").exists():
            time.sleep(0.05)
        launch(place, growing[0].run).wait(timeout=180)
    data = Store(place / "store").load("latest")
    again = sum((place / "marks" / name).read_text() != text for name, text in before.items())
    wrong = {
        "a number": not np.array_equal(data.value, np.outer(*GRID.values())),
        f"{data.attrs['done']} points": data.attrs["done"] != POINTS,
        f"failures {data.attrs.get('failures')}": bool(data.attrs.get("failures")),
        "not finished": bool(store.growing()),
        f"{again} of {len(before)} computed again, {kept} were kept": again > len(before) - kept,
    }
    if any(wrong.values()):
        print(victim, *(what for what, so in wrong.items() if so), flush=True)
    return not any(wrong.values())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else None)
        sys.exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    chance, good = random.Random(asked.seed), 0
    for number in range(asked.kills):
        with tempfile.TemporaryDirectory() as folder:
            good += trial(pathlib.Path(folder), ("worker", "coordinator")[number % 2], chance)
        print(f"{good} of {number + 1}", flush=True)
    print(json.dumps({"kills": asked.kills, "every point there once": good}))
    sys.exit(good < asked.kills)
