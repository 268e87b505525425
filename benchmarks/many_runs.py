"""`lazyrich runs --where` on a store of a hundred thousand runs: wall and CPU seconds of the whole command.

python benchmarks/many_runs.py --runs 100000
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import xarray as xr

from lazyrich.lab import Store
from lazyrich.lab.store.archive import WHOLE
from lazyrich.lab.store.facts import facts


def fill(store: Store, runs: int) -> None:
    """One real run; of the others the rows and the folders that the command looks for."""
    reading = {"bound": "at_most", "target": 1e-5, "tolerance": 0.0, "ok": True, "why": "a reason of the usual length, in words"}
    record = {
        **{"id": "lyu2024/figure_1a", "paper": "lyu2024", "size": "quick", "seed": 0, "verdict": "holds", "seconds": 1.0},
        **{"params": {"alpha": 1.0, "weight_decay": 1e-3, "n": 192, "d": 10_000, "trials": 4}, "precision": "float64"},
        **{"holds": [{"name": f"a reading of the usual length, number {i}", "value": i / 7, **reading} for i in range(6)]},
        **{"sound": [{"name": "training loss", "value": 1e-12, **reading}], "devices": ["cpu:0"], "source": "0123456789abcdef"},
    }
    store.add(xr.Dataset({"test": ("t", np.linspace(0, 1, 100))}), record)
    rows = []
    for number in range(1, runs):
        run = f"20200101-{number:06d}-{number % 65536:04x}"
        result = record | {"run": run, "created": "2020-01-01T00:00:00Z", "seed": number}
        rows.append(facts(result | {"params": {**record["params"], "alpha": number / 100}}))
        (store.runs / f"{run}{WHOLE}").mkdir()
    store.catalogue.add(rows)


def ask(store: Store, where: str) -> tuple[float, float, int]:
    """Wall and CPU seconds of one command, and how many runs it found."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    words = [sys.executable, "-m", "lazyrich", "runs", "--where", where, "--store", str(store.folder), "--json"]
    result = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begin, cpu, len(json.loads(result)["runs"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(pathlib.Path(folder) / "store")
        fill(store, asked.runs)
        for where in ("alpha > 999.5 and verdict == 'holds'", "holds['a reading of the usual length, number 3'] > 0.5"):
            wall, cpu, found = min(ask(store, where) for _ in range(3))
            print(f"{where}: {found} of {asked.runs} in {wall:.2f} s, CPU {cpu:.2f} s, load {os.getloadavg()[0]:.1f}")
