"""A store: a folder of runs and the catalogue that finds them. A run is listed only if it is whole."""

import contextlib
import os
import pathlib
import secrets
import time
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...errors import BadInput, StoreFault
from . import archive
from . import where as questions
from .facts import facts, masked

if TYPE_CHECKING:
    import xarray as xr

    from ..sweeps.growing import Growing
    from .catalogue import Catalogue

HERE = "lazyrich-runs"
# `find` opens at most so many of the runs it lists to see that they are whole; `health` opens all.
LOOKS = 200
# A folder that changed less than so many nanoseconds ago may change again without its clock showing it.
QUIET = 2 * 10**9


class Store:
    """Where runs are kept: written whole or not at all, found by what they are, never overwritten.

    The catalogue follows the folder: a run that was renamed just before its process died is taken in when the
    store is next opened, and a lost catalogue is made anew.
    """

    def __init__(self, where: str | os.PathLike | None = None):
        """The store at a folder: the one given, or `LAZYRICH_STORE`, or `lazyrich-runs` here.

        At a database address there is only the catalogue; the runs are in the folder `LAZYRICH_RUNS`, or `lazyrich-runs` here.
        """
        given = str(where or os.environ.get("LAZYRICH_STORE") or HERE)
        self.address = given if "://" in given else None
        if self.address is not None and not given.startswith(("postgresql://", "postgresql+")):
            raise BadInput(
                needed="a store is a folder, or the address of a PostgreSQL database",
                given=repr(given.partition("://")[0] + "://..."),
                cure="Write for example --store postgresql://USER@HOST/BASE.",
            )
        folder = given if self.address is None else os.environ.get("LAZYRICH_RUNS") or HERE
        self.folder = pathlib.Path(folder).expanduser().absolute()
        self.runs = self.folder / "runs"
        self.sweeps = self.folder / "sweeps"

    @property
    def where(self) -> str:
        """What names it: the database address, or the folder."""
        return self.address or str(self.folder)

    @property
    def shown(self) -> str:
        """What names it to people: without the password of a database."""
        return masked(self.where)

    @property
    def exists(self) -> bool:
        """Whether anything was ever stored here."""
        return self.runs.is_dir()

    @property
    def writable(self) -> bool:
        """Whether runs can be added."""
        return os.access(self.runs, os.W_OK) and os.access(self.folder, os.W_OK)

    @cached_property
    def catalogue(self) -> "Catalogue":
        """The catalogue; SQLAlchemy is imported only now."""
        from .catalogue import Catalogue

        return Catalogue(self.address or self.folder / "catalogue.sqlite", writable=self.writable)

    def require_writable(self) -> None:
        """Make the folder ready for runs, or say why it cannot be: before any work."""
        probe = self.runs / f".probe-{os.getpid()}-{secrets.token_hex(4)}"
        try:
            self.runs.mkdir(parents=True, exist_ok=True)
            probe.write_bytes(b"lazyrich")
            probe.unlink()
        except OSError as error:
            raise archive.fault(self.folder, error) from error
        archive.sweep_out(self.runs)
        self._take_in()

    def add(self, data: "xr.Dataset", record: Mapping[str, Any], *, run: str | None = None) -> str:
        """Keep a run; its name sorts by time and ends in four characters that are enough to ask for it.

        A sweep has had its name and its time since it was begun.
        """
        self.require_writable()
        run, created = (run, record["created"]) if run else self._fresh_name()
        record = {**record, "created": created}
        path = archive.write(self.runs, run, data, record)
        with contextlib.suppress(StoreFault):  # it is kept; the row follows when the store is next opened
            self.catalogue.add([facts(archive.attributes(path))])
        return run

    def begin(self, record: Mapping[str, Any]) -> "Growing":
        """Begin a sweep: a folder with its plan, under the name that the run will have."""
        from ..sweeps.growing import Growing

        run, created = self._fresh_name()
        return Growing.begin(self.sweeps / run, {**record, "run": run, "created": created})

    def growing(self) -> list["Growing"]:
        """The sweeps that are not finished, oldest first."""
        found = [path.parent for path in sorted(self.sweeps.glob(f"*/{archive.PLAN}"))]
        if not found:
            return []
        from ..sweeps.growing import Growing

        return [Growing(path) for path in found if not (self.runs / f"{path.name}{archive.WHOLE}").exists()]

    def unfinished(self, run: str) -> "Growing":
        """A sweep that can be resumed, by its name or the end of it."""
        growing = {one.run: one for one in self.growing()}
        return growing[self._named(run, sorted(growing), "an unfinished sweep")]

    def find(self, pattern: str | None = None, where: str | None = None) -> list[dict[str, Any]]:
        """The facts of runs that hold a word in their name or claim and answer a question, oldest first.

        Those that are not as they were written are named as damaged; of many, only the newest are looked at.
        """
        if where is not None:
            questions.question(where)  # refused even where there is nothing to ask
        rows = self._shortlisted(pattern, where) if where is not None and self.exists else None
        if rows is None:
            rows = self._holding(pattern, self.rows(readings=_about_readings(where)))
            rows = rows if where is None else questions.select(rows, where, key=_with_params)
        for row in rows[-LOOKS:]:
            if "damaged" not in row and "growing" not in row:
                try:
                    archive.verify(self.runs / f"{row['run']}{archive.WHOLE}")
                except StoreFault as fault:
                    row["damaged"] = fault.given
        return rows

    def _shortlisted(self, pattern: str | None, where: str) -> list[dict[str, Any]] | None:
        """The rows that answer yes, from those the catalogue could not rule out; None if a name may be unknown here."""
        rows = self._holding(pattern, self.rows(readings=_about_readings(where), where=where))
        whole, ask = [_with_params(row) for row in rows], questions.question(where)
        for name in questions.names(where):
            if not any(name in row for row in whole) and (pattern or not self.catalogue.mentions(name)):
                return None
        return [row for row, facts in zip(rows, whole, strict=True) if ask(facts)]

    def _holding(self, pattern: str | None, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rows that hold a word in their name or claim."""
        word = (pattern or "").lower()
        return [row for row in rows if word in row["run"] or word in row.get("id", "").lower()] if word else rows

    def rows(self, *, readings: bool = False, where: str | None = None) -> list[dict[str, Any]]:
        """The facts of every run, oldest first; a run whose folder is gone or cannot be read has `damaged` set.

        Without those of which the catalogue knows that they answer no to a question, if one is given.
        """
        if not self.exists:
            return []
        broken, there = self._take_in()
        gone = "its folder is gone" if self.address is None else f"it is not in {self.folder}"
        listed = self.catalogue.rows(readings=readings, where=where)
        if there is not None:
            listed = [row if row["run"] in there else {**row, "damaged": gone} for row in listed]
        missed = [] if self.writable else self._unlisted(self._there())[0]
        growing = [_growing_row(one) for one in self.growing()]
        rows = [*listed, *missed, *broken, *growing]
        return rows if not (missed or broken or growing) else sorted(rows, key=lambda row: row["run"])

    def load(self, run: str) -> "xr.Dataset":
        """The arrays of a run, with its record as attributes; of a sweep that grows, those that are there, NaN elsewhere."""
        name, growing = self.look_up(run)
        return growing.dataset() if growing is not None else archive.read(self.runs / f"{name}{archive.WHOLE}")

    def look_up(self, run: str) -> "tuple[str, Growing | None]":
        """The whole name of a run, and if it is a sweep that grows still, that."""
        growing = {one.run: one for one in self.growing()}
        name = self._named(run, sorted([*self.names(), *growing]))
        return name, growing.get(name)

    def record(self, run: str) -> dict[str, Any]:
        """The record of a run that is as it was written, without its arrays."""
        return archive.verify(self.path(run))

    def path(self, run: str) -> pathlib.Path:
        """The folder of a run, given by its name, the end or the beginning of it, or `latest`."""
        return self.runs / f"{self._named(run, self.names())}{archive.WHOLE}"

    def _named(self, run: str, known: list[str], what: str = "a run") -> str:
        """The one of the known names, oldest first, that is meant."""
        found = known[-1:] if run == "latest" else [name for name in known if run and name == run]
        found = found or [name for name in known if run and (name.startswith(run) or name.endswith(run))]
        if len(found) == 1:
            return found[0]
        if not found:
            raise BadInput(
                needed=f"{what} of {self.folder}, by its name or the end of it",
                given=repr(run),
                cure=f"`lazyrich runs` lists {len(known)} of them." if known else "There are none yet: `lazyrich run ID`.",
            )
        raise BadInput(
            needed="the name of one run", given=f"{run!r}, which fits {', '.join(found[-4:])}", cure="Give more of it."
        )

    def names(self) -> list[str]:
        """The names of all whole runs, oldest first."""
        return sorted(self._there())

    def like(self, fingerprint: str) -> list[str]:
        """The runs of the same configuration that are still there, newest first."""
        if not self.exists:
            return []
        _, there = self._take_in()
        return [run for run in self.catalogue.like(fingerprint) if there is None or run in there]

    def health(self) -> dict[str, Any]:
        """Every run verified file by file, and what was left unfinished."""
        damaged = {}
        for name in self.names():
            try:
                archive.verify(self.runs / f"{name}{archive.WHOLE}")
            except StoreFault as fault:
                damaged[name] = fault.given
        gone = {row["run"]: row["damaged"] for row in self.rows() if "damaged" in row and row["run"] not in damaged}
        return {
            "folder": str(self.folder),
            "exists": self.exists,
            "runs": len(self._there()),
            "damaged": damaged | gone,
            "unfinished": len(list(archive.leftovers(self.runs))) if self.exists else 0,
        }

    def _fresh_name(self) -> tuple[str, str]:
        """A name that no run has, and its time; the last four digits are a part of the second, so that names sort."""
        while True:
            now = time.time()
            day, second = time.gmtime(now), f"{int(now % 1 * 16**4):04x}"
            run = f"{time.strftime('%Y%m%d-%H%M%S', day)}-{second}"
            if not (self.runs / f"{run}{archive.WHOLE}").exists() and not (self.sweeps / run).exists():
                return run, time.strftime("%Y-%m-%dT%H:%M:%SZ", day)

    def _there(self) -> set[str]:
        if not self.exists:
            return set()
        with os.scandir(self.runs) as entries:
            return {entry.name.removesuffix(archive.WHOLE) for entry in entries if entry.name.endswith(archive.WHOLE)}

    def _unlisted(self, there: set[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Runs that the catalogue does not have: those that can be read, and those that cannot."""
        found, broken = [], []
        for name in sorted(there - self.catalogue.runs()):
            try:
                found.append(facts(archive.attributes(self.runs / f"{name}{archive.WHOLE}")) | {"run": name})
            except StoreFault as fault:
                broken.append({"run": name, "damaged": fault.given})
        return found, broken

    def _take_in(self) -> tuple[list[dict[str, Any]], set[str] | None]:
        """Give every whole run its row; what cannot be read, and the runs that are there.

        None in their place where the folder has not changed since all of them were known to have a row, and all rows a run.
        """
        changed = self.runs.stat().st_mtime_ns
        if self.address is None and self.catalogue.seen == changed:
            return [], None
        there = self._there()
        found, broken = self._unlisted(there)
        if self.writable:
            self.catalogue.add(found)
            quiet = time.time_ns() - changed > QUIET and not broken
            if quiet and self.address is None and self.catalogue.runs() == there:
                self.catalogue.seen = changed
        return broken, there


def _about_readings(where: str | None) -> bool:
    return where is not None and not questions.names(where).isdisjoint(("sound", "holds"))


def _with_params(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose parameters can be asked for by name."""
    return {**row.get("params", {}), **row}


def _growing_row(growing: "Growing") -> dict[str, Any]:
    """What is known of a sweep that grows; one whose plan cannot be read is damaged."""
    try:
        return facts(growing.record) | {"run": growing.run, "growing": True}
    except StoreFault as fault:
        return {"run": growing.run, "growing": True, "damaged": fault.given}
