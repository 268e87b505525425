"""A sweep that is not finished: a folder with its plan, its parts, what failed, and a lock that one coordinator holds."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ...errors import BadInput, StoreFault
from .. import archive
from ..archive import PLAN
from .parts import Parts

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
            return json.loads((self.folder / PLAN).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StoreFault(
                needed="an unfinished sweep has a plan that can be read",
                given=f"{self.folder / PLAN} ({type(error).__name__})",
                cure=f"Remove {self.folder} and sweep again; other sweeps are not touched.",
            ) from error

    @property
    def parts(self) -> Parts:
        """Its parts: in the folder, or at the address that the plan names."""
        return Parts(self.record.get("parts") or self.folder / "parts")

    def failures(self) -> dict[int, str]:
        """Points that failed, each with its error."""
        try:
            told = json.loads((self.folder / FAILED).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return {int(point): why for point, why in told.items()}

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
        data = assembled(self.record, self.parts)
        data.attrs = {**self.record, "run": self.run, "growing": True, **data.attrs}
        return data

    def remove(self) -> None:
        """Remove the folder, and parts that are elsewhere."""
        if self.parts.far:
            self.parts.remove()
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Be the one coordinator of this sweep; a second is refused. The lock of a process that died is free."""
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

    def _write(self, name: str, told: Mapping[str, Any]) -> None:
        fresh = self.folder / f".{name}.{os.getpid()}"
        fresh.write_text(json.dumps(told, allow_nan=False, default=list), encoding="utf-8")
        fresh.replace(self.folder / name)


def points(record: Mapping[str, Any]) -> int:
    """How many points a plan has."""
    return int(np.prod([len(values) for values in record["axes"].values()], dtype=np.int64))


def assembled(record: Mapping[str, Any], parts: Parts) -> "xr.Dataset":
    """The parts as one Dataset over (axes, trial, own axes): NaN where none is yet.

    An array whose shape depends on an axis cannot be part of it; `left_out` names those.
    """
    import xarray as xr

    axes, count = record["axes"], points(record)
    outer = (*axes, *(() if record["trials"] is None else ("trial",)))
    found, left_out, have, seconds = {}, set(), np.zeros(count, dtype=bool), 0.0
    held = []
    for index, arrays, took in parts.read():
        held.append((index, arrays))
        have[index], seconds = True, seconds + took
        for name, part in arrays.items():
            shape = found.setdefault(name, np.zeros((count, *part.shape[1:]), part.dtype)).shape
            left_out |= {name} if shape[1:] != part.shape[1:] else set()
    variables = {}
    for name, whole in found.items():
        if name in left_out:
            continue
        if not have.all():
            whole = np.full(whole.shape, np.nan, np.result_type(whole.dtype, np.float64))
        for index, arrays in held:
            whole[index] = arrays[name]
        own = whole.ndim - 1 - (record["trials"] is not None)
        words = (record.get("returns") or {}).get(name, "").split() or [f"{name}_{at}" for at in range(own)]
        shape = tuple(len(values) for values in axes.values()) + whole.shape[1:]
        # A coordinate and an array cannot share a name.
        variables[f"{name}_read" if name in axes else name] = ((*outer, *words), whole.reshape(shape))
    told = {"seconds": seconds, "done": int(have.sum()), "left_out": sorted(left_out)}
    return xr.Dataset(variables, {name: list(values) for name, values in axes.items()}, told)
