"""What a sweep has computed so far: a folder of parts, each a few points in one .npz that carries its own digest.

A part is written under a temporary name and renamed when whole; one that cannot be read back counts as not there. The
folder may be an address that fsspec knows (s3://bucket/folder): there a file appears when it is whole, and nothing is renamed.
"""

import contextlib
import io
import os
import pathlib
import secrets
import shutil
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..jobs.job import digest
from ..store.archive import fault

_OWN = ("/index", "/seconds", "/digest")
WHOLE = ".npz"
# Says in a folder whose parts it is for: a worker that finds it there sees the coordinator's own disk.
MARK = ".sweep"


class Parts:
    """The parts of one sweep, in a folder or at an address."""

    def __init__(self, where: str | os.PathLike):
        """The parts there; the folder is made by the first of them."""
        self.where = str(where)
        self.far = "://" in self.where

    def write(self, index: np.ndarray, arrays: Mapping[str, np.ndarray], seconds: float = 0.0) -> str:
        """Keep the results of some points; gives the part's name."""
        held = {**arrays, "/index": np.asarray(index), "/seconds": np.array(float(seconds))}
        packed = io.BytesIO()
        np.savez(packed, allow_pickle=False, **{**held, "/digest": np.array(digest(held))})
        name = f"{int(index[0]):08d}-{len(index)}-{secrets.token_hex(4)}{WHOLE}"
        try:
            self._put(name, packed.getvalue())
        except OSError as error:
            raise fault(pathlib.Path(self.where), error) from error
        return name

    def read(self) -> Iterator[tuple[np.ndarray, dict[str, np.ndarray], float]]:
        """The whole parts: which points, their arrays by name, the seconds they took."""
        for name in self.names():
            if (held := self._get(name)) is not None:
                arrays = {one: array for one, array in held.items() if one not in _OWN}
                yield held["/index"], arrays, float(held["/seconds"])

    def names(self) -> list[str]:
        """The files, in the order of their points."""
        if self.far:
            system, folder = _system(self.where)
            found = system.ls(folder, detail=False) if system.exists(folder) else []
            return sorted(name for one in found if (name := one.rsplit("/", 1)[-1]).endswith(WHOLE))
        folder = pathlib.Path(self.where)
        return sorted(path.name for path in folder.iterdir() if path.suffix == WHOLE) if folder.is_dir() else []

    def claim(self, run: str) -> None:
        """Mark a folder as that of a sweep; at an address there is no other disk to take it for."""
        if not self.far:
            folder = pathlib.Path(self.where)
            try:
                folder.mkdir(parents=True, exist_ok=True)
                put(folder / MARK, run.encode())
            except OSError as error:
                raise fault(folder, error) from error

    def reached(self, run: str) -> bool:
        """Whether the parts of this sweep can be written from here."""
        with contextlib.suppress(OSError):
            return self.far or (pathlib.Path(self.where) / MARK).read_text(encoding="utf-8") == run
        return False

    def remove(self) -> None:
        """Remove them all, and nothing beside their own folder."""
        if not self.far:
            shutil.rmtree(self.where, ignore_errors=True)
            return
        system, folder = _system(self.where)
        with contextlib.suppress(FileNotFoundError):
            system.rm(folder, recursive=True)

    def _put(self, name: str, content: bytes) -> None:
        if self.far:
            system, folder = _system(self.where)
            system.makedirs(folder, exist_ok=True)
            system.pipe_file(f"{folder}/{name}", content)
            return
        folder = pathlib.Path(self.where)
        folder.mkdir(parents=True, exist_ok=True)
        put(folder / name, content)

    def _get(self, name: str) -> dict[str, Any] | None:
        """The arrays of a part; None if they are not those that were written."""
        try:
            if self.far:
                system, folder = _system(self.where)
                content = system.cat_file(f"{folder}/{name}")
            else:
                content = (pathlib.Path(self.where) / name).read_bytes()
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                held = {one: file[one] for one in file.files}
            written = str(held.pop("/digest"))
        except Exception:  # a file that was cut can be broken in any way
            return None
        return held if written == digest(held) else None


def put(file: pathlib.Path, content: bytes) -> None:
    """Write a file under a temporary name, and give it its own when the disk has it."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with fresh.open("wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        fresh.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def _system(where: str):
    """The file system of an address, and the folder in it."""
    import fsspec

    return fsspec.core.url_to_fs(where)
