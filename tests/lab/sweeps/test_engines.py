"""Sweeps on a Dask cluster of two processes, one of which may die. The cluster itself takes some seconds to start."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lazyrich import lab
from lazyrich.errors import BadInput, StoreFault
from lazyrich.lab import Store
from lazyrich.lab.sweeps import coordinator, engines

sys.path.insert(0, str(Path(__file__).parent))
import swept

# Dask's own threads and sockets are closed late.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]
GRID = {"alpha": [1.0, 2.0, 3.0, 4.0, 5.0], "beta": [1.0, 3.0, 4.0, 5.0]}


@pytest.fixture(autouse=True)
def workers_find_the_functions(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *sys.path]))


def test_the_same_numbers_as_local_and_a_point_that_kills_its_worker(tmp_path):
    """One cluster for both: workers write the parts, and what kills four workers is a failure of one point."""
    with engines._cluster() as cluster:
        address = cluster.scheduler_address
        both = [
            lab.sweep(swept.drawn, {"alpha": np.arange(40) / 7}, store=str(tmp_path / engine[:5]), engine=engine)
            for engine in ("local", address)
        ]
        np.testing.assert_allclose(both[1].data.value, both[0].data.value, rtol=1e-9)
        assert both[1].done == 40
        deadly = lab.sweep(swept.deadly, {"alpha": [1, 2, 3, 4]}, host=True, store=str(tmp_path / "deadly"), engine=address)
    assert (deadly.done, deadly.failed) == (3, 1) and "KilledWorker" in deadly.failures["alpha=3"]
    np.testing.assert_array_equal(deadly.data.value, [2, 4, np.nan, 8])


def start(store: Path, marks: Path, *more: str) -> subprocess.Popen:
    """The sweep of `GRID` in a process of its own, over the same function."""
    code = (
        "import sys, swept\nfrom lazyrich import lab\n"
        "if __name__ == '__main__':\n"
        f"    grid = {GRID!r}\n"
        "    options = {'resume': sys.argv[3]} if len(sys.argv) > 3 else {}\n"
        "    options |= {'fixed': {'folder': sys.argv[2]}, 'host': True, 'engine': 'dask'}\n"
        "    lab.sweep(swept.counted, grid, store=sys.argv[1], **options)\n"
    )
    script = store.parent / "script.py"
    script.write_text(code)
    return subprocess.Popen([sys.executable, str(script), str(store), str(marks), *more], stderr=subprocess.PIPE)


def until(condition, seconds: float = 60.0):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return found


@pytest.mark.parametrize("victim", ["worker", "coordinator"])
def test_after_a_kill_every_point_is_there_once(tmp_path, victim):
    store, marks = tmp_path / "store", tmp_path / "marks"
    marks.mkdir()
    process = start(store, marks)
    until(lambda: len(list(store.glob("sweeps/*/parts/*.npz"))) >= 2)
    worker = int(next(iter(marks.iterdir())).read_text().split()[-1])
    os.kill(worker if victim == "worker" else process.pid, signal.SIGKILL)
    said = process.communicate(timeout=120)[1].decode()
    if victim == "coordinator":
        (growing,) = Store(store).growing()
        had = int(growing.done().sum())
        before = {path.name: path.read_text() for path in marks.iterdir()}
        assert 0 < had < 20
        until(lambda: not Path(f"/proc/{worker}").exists())
        process = start(store, marks, growing.run)
        said = process.communicate(timeout=120)[1].decode()
        again = [name for name, text in before.items() if (marks / name).read_text() != text]
        assert len(again) <= len(before) - had, "a point that was there was computed again"
    assert process.returncode == 0, said
    data = Store(store).load("latest")
    np.testing.assert_array_equal(data.value, np.outer(GRID["alpha"], GRID["beta"]))
    assert data.attrs["done"] == 20 and data.attrs["failures"] == {} and Store(store).growing() == []


def test_a_scheduler_that_does_not_answer_is_said_soon(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        begin = time.monotonic()
        with pytest.raises(StoreFault, match="a Dask scheduler that answers"):
            lab.sweep(swept.product, {"alpha": [1], "beta": [1]}, store=str(tmp_path), engine=address)
    assert time.monotonic() - begin < 12


def test_an_engine_that_is_not_installed_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"pip install 'lazyrich\[cluster\]'"):
        lab.sweep(swept.product, {"alpha": [1], "beta": [1]}, store=str(tmp_path), engine="dask")
    assert list(tmp_path.iterdir()) == []


def test_every_gpu_has_a_worker_of_its_own(monkeypatch):
    """Without a GPU only the variable can be seen to arrive."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,5")
    assert engines.visible_gpus() == ["3", "5"]
    with engines._cluster() as cluster, engines._joined(cluster) as client:
        client.wait_for_workers(2)
        seen = client.run(os.getenv, "CUDA_VISIBLE_DEVICES")
    assert sorted(seen.values()) == ["3", "5"]


def test_pieces_are_some_seconds_long_and_enough_for_everybody():
    def pace(seconds, size=8.0, how="loop"):
        return coordinator.Pace(how, seconds, size)

    assert coordinator.piece_size(pace(0.0), 0.0, 100, 1) == 1
    assert coordinator.piece_size(pace(0.1), 0.0, 100, 1) == 25  # four pieces of about three seconds
    assert coordinator.piece_size(pace(0.0), 0.1, 100, 1) == 25
    assert coordinator.piece_size(pace(1e-6), 0.0, 100, 2) == 25
    assert coordinator.piece_size(pace(1e-6, size=32e6), 0.0, 100, 1) == 2
    assert coordinator.piece_size(pace(60.0), 0.0, 100, 1) == 1
