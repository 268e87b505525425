"""Where pieces are computed: in this process, in processes of a local Dask cluster, or by a Dask scheduler at an address."""

import abc
import contextlib
import logging
import os
import subprocess
from collections.abc import Iterator
from typing import Any

from ...errors import BadInput, StoreFault
from ..optional_packages import require
from .parts import Parts
from .work import Found, Pace, Piece, compute, probe, said

# Seconds after which a scheduler that does not answer is taken for unreachable.
PATIENCE = 5


class AbstractEngine(abc.ABC):
    """Computes pieces, in any order: `slots` of them at a time, `threads` points of each."""

    slots: int
    threads: int

    @abc.abstractmethod
    def probe(self, piece: Piece, how: str, points: int) -> Pace:
        """Time the ways on some of so many points."""

    @abc.abstractmethod
    def work(self, pieces: Iterator[Piece], parts: Parts) -> Iterator[tuple[Piece, Found]]:
        """Compute the pieces and yield each as it is done; where the parts can be reached from, they are written there."""


@contextlib.contextmanager
def engine_at(where: str) -> Iterator[AbstractEngine]:
    """The engine `local`, `dask` (a cluster of processes on this machine) or at an address such as tcp://HOST:PORT."""
    require_engine(where)
    if where == "local":
        yield Local()
        return
    with _cluster() if where == "dask" else contextlib.nullcontext(where) as place, _joined(place) as client:
        yield Dask(client)


class Local(AbstractEngine):
    """In this process, one piece after another."""

    slots, threads = 1, 2

    def probe(self, piece: Piece, how: str, points: int) -> Pace:
        """Time the ways here."""
        return probe(piece, how, points)

    def work(self, pieces: Iterator[Piece], parts: Parts) -> Iterator[tuple[Piece, Found]]:
        """Each in its turn."""
        for piece in pieces:
            yield piece, compute(piece)


class Dask(AbstractEngine):
    """By the workers of a Dask scheduler, as many pieces at a time as they have threads.

    A worker that dies has its piece computed by another. A piece that kills every worker it meets is cut into points; a
    point that does so is a failure.
    """

    threads = 1

    def __init__(self, client: Any):
        """The engine of a client."""
        self._client = client
        self.slots = max(1, sum(client.nthreads().values()))

    def probe(self, piece: Piece, how: str, points: int) -> Pace:
        """Time the ways on a worker."""
        with _scheduler_faults():
            return self._client.submit(probe, piece, how, points, pure=False).result()

    def work(self, pieces: Iterator[Piece], parts: Parts) -> Iterator[tuple[Piece, Found]]:
        """As many at a time as there are threads: who runs nothing is not blamed for a worker's death."""
        from distributed import as_completed

        waiting: dict[Any, Piece] = {}
        coming, again = as_completed(loop=self._client.loop), []

        def send() -> None:
            while len(waiting) < self.slots:
                piece = again.pop() if again else next(pieces, None)
                if piece is None:
                    return
                future = self._client.submit(compute_there, piece, parts.where, pure=False)
                waiting[future] = piece
                coming.add(future)

        with _scheduler_faults():
            send()
            while waiting:
                future = next(coming)
                piece, error = waiting.pop(future), future.exception()
                if error is None:
                    yield piece, future.result()
                elif _lost(error):
                    raise error
                elif len(piece.index) > 1:
                    again += [piece.only(at) for at in range(len(piece.index))]
                else:
                    failures = {int(piece.index[0]): said(error)}
                    yield piece, Found(piece.index[:0], {}, failures, 0.0, piece.how)
                send()


def compute_there(piece: Piece, where: str) -> Found:
    """Compute a piece on a worker: keep it where the parts are if they can be reached from there, else send it home."""
    from dataclasses import replace

    found, parts = compute(piece), Parts(where)
    if not len(found.index) or not parts.reached(piece.token):
        return found
    try:
        return replace(found, arrays={}, kept=parts.write(found.index, found.arrays, found.seconds))
    except StoreFault:
        return found


def _lost(error: BaseException) -> bool:
    """Whether it is the scheduler that is gone, not a task that failed."""
    return type(error).__name__ in ("CommClosedError", "FutureCancelledError", "CancelledError")


def require_engine(where: str) -> None:
    """Refuse what is no engine, or one whose packages are not installed."""
    if where == "local":
        return
    if where != "dask" and "://" not in where:
        raise BadInput(
            needed="an engine is local, dask or the address of a Dask scheduler",
            given=repr(where),
            cure="Write --engine dask, or --engine tcp://HOST:PORT.",
        )
    require("cluster", "distributed", what="this engine")


@contextlib.contextmanager
def _cluster() -> Iterator[Any]:
    """Two processes on this machine, or one for each GPU, which sees only its own."""
    import dask
    from distributed import Nanny, Scheduler, SpecCluster

    gpus = visible_gpus()
    own = [{"CUDA_VISIBLE_DEVICES": gpu} for gpu in gpus] if len(gpus) > 1 else [{}] * max(1, min(2, os.cpu_count() or 1))
    pinned = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    pinned |= {"EQX_ON_ERROR": os.environ.get("EQX_ON_ERROR", "nan")}
    workers = {
        at: {"cls": Nanny, "options": {"nthreads": 1, "env": {**pinned, **env}, "silence_logs": logging.CRITICAL}}
        for at, env in enumerate(own)
    }
    address = {"host": "127.0.0.1", "port": 0, "dashboard_address": "127.0.0.1:0"}  # any that is free
    scheduler = {"cls": Scheduler, "options": {"dashboard": False, **address}}
    # Memory is watched by the operating system; a worker that is ended for it has its piece computed again.
    plain = {"distributed.worker.memory.terminate": False}
    with dask.config.set(plain), SpecCluster(workers, scheduler, silence_logs=logging.CRITICAL) as cluster:  # pyright: ignore
        yield cluster


@contextlib.contextmanager
def _joined(place: Any) -> Iterator[Any]:
    """A client of a cluster or of the scheduler at an address, which must answer soon and have a worker."""
    from distributed import Client

    far = isinstance(place, str)
    try:
        client = Client(place, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # whatever else listens at that address may answer anything
        raise no_scheduler(place if far else "the local cluster", error) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE if far else 60)
        except TimeoutError as error:
            raise no_scheduler(f"{place} without workers" if far else "the local cluster", error) from error
        yield client


@contextlib.contextmanager
def _scheduler_faults() -> Iterator[None]:
    """What a scheduler that has gone means for a sweep."""
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    try:
        yield
    except (CommClosedError, FutureCancelledError, TimeoutError) as error:
        raise no_scheduler("the scheduler", error) from error


def no_scheduler(where: str, error: BaseException) -> StoreFault:
    """A scheduler that cannot be reached, or no longer."""
    return StoreFault(
        needed="a Dask scheduler that answers, with workers",
        given=f"{where} ({said(error)[:200]})",
        cure="See that it runs and can be reached from here.",
    )


def visible_gpus() -> list[str]:
    """The GPUs that this process may use: those of CUDA_VISIBLE_DEVICES, else all that the driver lists."""
    given = os.environ.get("CUDA_VISIBLE_DEVICES")
    if given is not None:
        return [one for one in given.split(",") if one.strip()]
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return [str(at) for at, line in enumerate(listed.splitlines()) if line.startswith("GPU")]
