"""One run on disk: a zarr store of labelled arrays whose attributes say how it came to be.

It is written under a temporary name and renamed when whole. Its last attribute lists a digest of every file, so a
file that was cut, changed or lost is found when the run is opened.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import socket
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import StoreFault

if TYPE_CHECKING:
    import xarray as xr

FORMAT = 1
WHOLE, PART = ".zarr", ".part"
PLAN = "plan.json"  # of a sweep, before it is a run
_ROOT = "zarr.json"
# Attributes that are of use to this file alone; zarr keeps axes without arrays under the last of them.
_OWN = ("order", "digests", "seal", "coordinates")


def write(folder: pathlib.Path, run: str, data: "xr.Dataset", record: Mapping[str, Any]) -> pathlib.Path:
    """Write a run under a temporary name, then give it its own."""
    part = folder / f"{run}.{socket.gethostname()}.{os.getpid()}{PART}"
    whole = folder / f"{run}{WHOLE}"
    try:
        data.drop_attrs().to_zarr(part, zarr_format=3, consolidated=False, mode="w-")
        own = {"run": run, "format": FORMAT, "order": list(data.data_vars), "digests": dict(_digests(part))}
        _add_attributes(part / _ROOT, {**record, **own})
        part.rename(whole)
    except BaseException as error:
        shutil.rmtree(part, ignore_errors=True)
        if isinstance(error, OSError):
            raise fault(folder, error) from error
        raise
    return whole


def attributes(path: pathlib.Path) -> dict[str, Any]:
    """The record of a run, checked against its own seal; the arrays are not looked at."""
    try:
        found = dict(json.loads((path / _ROOT).read_text(encoding="utf-8"))["attributes"])
        newer = found.get("format", 0) > FORMAT
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged(path, f"{_ROOT} cannot be read ({type(error).__name__})") from error
    if newer:
        raise StoreFault(
            needed=f"this lazyrich reads runs up to format {FORMAT}",
            given=f"{path.name} in format {found['format']}",
            cure="Upgrade lazyrich, or read it where it was made and export it there.",
        )
    if found.get("seal") != _seal(found):
        raise damaged(path, "its record was changed")
    return found


def verify(path: pathlib.Path) -> dict[str, Any]:
    """The record of a run whose every file is as it was written."""
    record = attributes(path)
    try:
        now = dict(_digests(path))
    except OSError as error:
        raise damaged(path, f"a file cannot be read ({error.strerror})") from error
    for name, digest in record["digests"].items():
        if now.get(name) != digest:
            raise damaged(path, f"{name} is {'changed' if name in now else 'missing'}")
    return record


def read(path: pathlib.Path) -> "xr.Dataset":
    """The arrays of a run with its record as attributes; a damaged run is refused by name."""
    import xarray as xr

    record = verify(path)
    with xr.open_zarr(path, consolidated=False, chunks=None) as data:
        data.load()
        attributes = {name: value for name, value in record.items() if name not in _OWN}
        return xr.Dataset({name: data[name] for name in record["order"]}, data.coords, attributes)


def leftovers(folder: pathlib.Path) -> Iterator[pathlib.Path]:
    """Unfinished runs of processes that no longer live on this machine."""
    for path in folder.glob(f"*{PART}"):
        host, _, process = path.name.removesuffix(PART).partition(".")[2].rpartition(".")
        if host == socket.gethostname() and process.isdigit() and not _lives(int(process)):
            yield path


def sweep_out(folder: pathlib.Path) -> None:
    """Remove what dead processes left unfinished."""
    for path in leftovers(folder):
        shutil.rmtree(path, ignore_errors=True)


def fault(folder: pathlib.Path, error: OSError) -> StoreFault:
    """What an operating system's refusal means for a store."""
    return StoreFault(
        needed="a store needs a folder that can be written to, with room in it",
        given=f"{folder} ({error.strerror or error})",
        cure="Free some space, mend the permissions, or choose another with --store.",
    )


def damaged(path: pathlib.Path, what: str) -> StoreFault:
    """A run that is not as it was written."""
    return StoreFault(
        needed="a run is read only if it is as it was written",
        given=f"run {path.name.removesuffix(WHOLE)}, of which {what}",
        cure=f"Restore {path} from a copy, or remove it and run the claim again.",
    )


def _digests(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if file.is_file() and name != _ROOT:
            yield name, hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()


def _seal(record: Mapping[str, Any]) -> str:
    unsealed = {name: value for name, value in record.items() if name != "seal"}
    return hashlib.blake2b(json.dumps(unsealed, sort_keys=True).encode(), digest_size=16).hexdigest()


def _add_attributes(root: pathlib.Path, attributes: Mapping[str, Any]) -> None:
    """Put the attributes, under a seal, into the group's own file beside what the arrays' writer left there."""
    group = json.loads(root.read_text(encoding="utf-8"))
    found = json.loads(json.dumps({**group.get("attributes", {}), **attributes}, allow_nan=False))
    group["attributes"] = {**found, "seal": _seal(found)}
    root.write_text(json.dumps(group), encoding="utf-8")


def _lives(process: int) -> bool:
    if os.name == "nt":  # there this would be Ctrl-C to the process: nobody can tell
        return True
    with contextlib.suppress(PermissionError):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return True
