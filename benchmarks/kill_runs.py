"""A hundred kill -9 at random moments of `lazyrich run`: no run is listed that is not whole, no whole run is lost.

python benchmarks/kill_runs.py --kills 100
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from lazyrich.errors import StoreFault
from lazyrich.lab import Store
from lazyrich.lab.store.store import archive

COMMAND = ("run", "woodworth2020/lemma_6", "--set", "eps=0.1,0.2", "--json")


def launch(store: pathlib.Path, seed: int) -> subprocess.Popen:
    places = ("--seed", str(seed), "--store", str(store), "--out", str(store / "figures"))
    words = [sys.executable, "-m", "lazyrich", *COMMAND, *places]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def kill(store: pathlib.Path, kills: int, seed: int = 0) -> dict[str, int]:
    """Run and kill; every second kill comes while a run is being written, the others at any moment of the command."""
    chance = random.Random(seed)
    begin = time.monotonic()
    reported = {json.loads(launch(store, 0).communicate()[0])["results"][0]["run"]}
    usual = time.monotonic() - begin
    unfinished = 0
    for number in range(1, kills + 1):
        process = launch(store, number)
        if number % 2:
            while process.poll() is None and not list(store.glob(f"runs/*{archive.PART}")):
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.06))
        else:
            time.sleep(chance.uniform(0, usual))
        process.kill()
        result, _ = process.communicate()
        unfinished += bool(list(store.glob(f"runs/*{archive.PART}")))
        if process.returncode == 0:
            reported.add(json.loads(result)["results"][0]["run"])
    return {"kills": kills, "caught while writing": unfinished} | count(Store(store), reported)


def count(store: Store, reported: set[str]) -> dict[str, int]:
    """Whole runs on disk; of those that were reported or are whole, how many are not listed; listed ones that are not whole."""
    listed = {row["run"] for row in store.rows() if "damaged" not in row}
    broken = 0
    for run in listed:
        try:
            archive.verify(store.path(run))
        except StoreFault:
            broken += 1
    lost = len((reported | set(store.names())) - listed)
    return {"whole runs": len(store.names()), "lost": lost, "listed but not whole": broken}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = kill(pathlib.Path(folder) / "store", asked.kills, asked.seed)
    print(json.dumps(found, indent=1))
    sys.exit(found["lost"] > 0 or found["listed but not whole"] > 0)
