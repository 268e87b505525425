"""A sweep that is not finished: a folder with its plan, its parts, what failed, and a lock that one coordinator holds."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ...errors import BadInput, StoreFault
from ..store import archive
from ..store.archive import PLAN
from .parts import Parts, put

if TYPE_CHECKING:
    import xarray as xr

FAILED, LOCK = "failures.json", "lock"


class Growing:
    """The folder of a sweep. The plan is written first; whoever reads it sees what is there so far."""

    def __init__(self, folder: pathlib.Path):
        """The sweep in a folder."""
        self.folder = folder

    @classmethod
    def begin(cls, folder: pathlib.Path, record: Mapping[str, Any]) -> "Growing":
        """Make the folder and write the plan in it."""
        growing = cls(folder)
        try:
            folder.mkdir(parents=True)
            growing._write(PLAN, record)
        except OSError as error:
            raise archive.fault(folder, error) from error
        return growing

    @property
    def run(self) -> str:
        """Its name, which the finished run will have too."""
        return self.folder.name

    @cached_property
    def record(self) -> dict[str, Any]:
        """The plan: what is computed, over which axes, by which code."""
        try:
            found = json.loads((self.folder / PLAN).read_text(encoding="utf-8"))
            return {**found, "axes": dict(found["axes"])}
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise StoreFault(
                needed="an unfinished sweep has a plan that can be read",
                given=f"{self.folder / PLAN} ({type(error).__name__})",
                cure=f"Remove {self.folder} and sweep again; other sweeps are not touched.",
            ) from error

    @property
    def parts(self) -> Parts:
        """Its parts: in its folder, or in one of its name at the place that the plan names."""
        elsewhere = self.record.get("parts")
        return Parts(f"{elsewhere.rstrip('/')}/{self.run}" if elsewhere else self.folder / "parts")

    def failures(self) -> dict[int, str]:
        """Points that failed, each with its error."""
        try:
            failed = json.loads((self.folder / FAILED).read_text(encoding="utf-8"))
            return {int(point): why for point, why in failed.items()}
        except (FileNotFoundError, ValueError, AttributeError):  # none, or a file that was cut: they are tried again
            return {}

    def note(self, failures: Mapping[int, str]) -> None:
        """Remember points that failed."""
        if failures:
            try:
                self._write(FAILED, {str(point): why for point, why in (self.failures() | dict(failures)).items()})
            except OSError as error:
                raise archive.fault(self.folder, error) from error

    def done(self) -> np.ndarray:
        """Of each point whether it is there."""
        have = np.zeros(points(self.record), dtype=bool)
        for index, _, _ in self.parts.read():
            have[index] = True
        return have

    def dataset(self) -> "xr.Dataset":
        """What is there so far, NaN where nothing is yet."""
        return self.gathered()[0]

    def gathered(self) -> "tuple[xr.Dataset, np.ndarray]":
        """What is there so far, and of each point whether it is among it."""
        data, have = assembled(self.record, self.parts)
        data.attrs = {**self.record, "run": self.run, "growing": True, **data.attrs}
        return data, have

    def remove(self) -> None:
        """Remove the parts, wherever they are, and the folder."""
        self.parts.remove()
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Lock the sweep for one coordinator; a second is refused. The lock of a process that died is free."""
        try:
            file = (self.folder / LOCK).open("a+", encoding="utf-8")
        except OSError as error:
            raise archive.fault(self.folder, error) from error
        with file:
            self._take(file)
            yield

    def _take(self, file: IO[str]) -> None:
        try:
            import fcntl
        except ModuleNotFoundError:  # not POSIX: nothing to hold it with
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise BadInput(
                needed="one coordinator carries out a sweep at a time",
                given=f"{self.run}, which {file.read().strip() or 'another process'} is carrying out",
                cure="Wait for it or stop it, then resume.",
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()

    def _write(self, name: str, content: Mapping[str, Any]) -> None:
        put(self.folder / name, json.dumps(content, allow_nan=False, default=list).encode())


def points(record: Mapping[str, Any]) -> int:
    """How many points a plan has."""
    return int(np.prod([len(values) for values in record["axes"].values()], dtype=np.int64))


def assembled(record: Mapping[str, Any], parts: Parts) -> "tuple[xr.Dataset, np.ndarray]":
    """The parts as one Dataset over (axes, trial, own axes), NaN where none is yet; and of each point whether it is there.

    An array whose shape depends on an axis, or that some part lacks, cannot be part of it; `left_out` names those.
    """
    import xarray as xr

    axes, count = record["axes"], points(record)
    outer = (*axes, *(() if record["trials"] is None else ("trial",)))
    held = list(parts.read())
    have = np.zeros(count, dtype=bool)
    for index, _, _ in held:
        have[index] = True
    known = dict.fromkeys(name for _, arrays, _ in held for name in arrays)
    sizes, variables, left_out = dict.fromkeys((*outer, *known), -1), {}, []
    for name in known:
        each = [(index, arrays.get(name)) for index, arrays, _ in held]
        if len({None if part is None else part.shape[1:] for _, part in each}) > 1:
            left_out.append(name)
            continue
        whole = _whole(each, count, full=bool(have.all()))
        own = whole.shape[len(outer) - len(axes) + 1 :]
        words = _words((record.get("returns") or {}).get(name, ""), name, own, sizes)
        shape = tuple(len(values) for values in axes.values()) + whole.shape[1:]
        variables[stored_as(name, outer)] = ((*outer, *words), whole.reshape(shape))
    attributes = {"seconds": sum(took for _, _, took in held), "done": int(have.sum()), "left_out": sorted(left_out)}
    return xr.Dataset(variables, {name: list(values) for name, values in axes.items()}, attributes), have


def stored_as(name: str, outer: Iterable[str]) -> str:
    """The name of an array in the Dataset: a coordinate and an array cannot share one."""
    return f"{name}_read" if name in outer else name


def _whole(parts: list[tuple[np.ndarray, Any]], count: int, *, full: bool) -> np.ndarray:
    """The parts of one array over all points, in a type that holds them all."""
    kind = np.result_type(*(part.dtype for _, part in parts), *(() if full else (np.float64,)))
    whole = np.full((count, *parts[0][1].shape[1:]), 0 if full else np.nan, kind)
    for index, part in parts:
        whole[index] = part
    return whole


def _words(axes: str, name: str, own: tuple[int, ...], sizes: dict[str, int]) -> list[str]:
    """A word for each axis of an array's own: one that something else or another length has taken gets the array's name."""
    words = axes.split()
    words = words if len(words) == len(own) else [f"{name}_{at}" for at in range(len(own))]
    found = []
    for word, size in zip(words, own, strict=True):
        while sizes.get(word, size) != size or word in found:
            word = f"{word}_of_{name}"
        sizes[word] = size
        found.append(word)
    return found
