"""All claims with what is known of them: their newest stored run, or else the record of a run at the paper's size."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ..claims import Claim, every
from ..claims import drawing as drawings
from ..claims.drawing import Drawing
from ..errors import BadInput, StoreFault
from ..lab import Store
from ..report import maps, results
from ..report.pages.contents import Contents, Entry, entry_of, known_claim, safe_name
from ..report.results import Record


@dataclass(frozen=True)
class Item:
    """One line of the list: the claim, its verdict, whether that comes from a run, a record or nothing, and its readings."""

    claim: Claim
    name: str
    verdict: str
    origin: str
    summary: str


@dataclass(frozen=True)
class StoredRun(Entry):
    """A run by itself: its figures are named after it, not after its claim."""

    @property
    def name(self) -> str:
        """The run's own name."""
        return (self.told or {})["run"]


class Shelf:
    """Reads a store and the folder of records; what cannot change is read once."""

    def __init__(self, store: Store, folder: Any):
        """`folder` holds the records, or is None."""
        self.store, self.folder = store, folder
        self._lock = threading.Lock()
        self._told = lru_cache(1_024)(store.record)

    @cached_property
    def records(self) -> dict[str, Record]:
        """The records of runs at the paper's size."""
        return {} if self.folder is None else results.read(self.folder, lambda text: None)

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """Every claim by the name of its page."""
        return {safe_name(claim.id): claim for claim in every()}

    @cached_property
    def stale(self) -> frozenset[str]:
        """The claims whose record was made by other code."""
        return frozenset(identity for identity, record in self.records.items() if record.stale)

    def load(self) -> "Shelf":
        """Read what takes a while, once, whoever asks first."""
        with self._lock:
            _ = self.claims, self.records, self.stale
        return self

    def items(self) -> list[Item]:
        """All claims in their order."""
        self.load()
        newest = self._newest()
        return [self._item(name, claim, newest.get(claim.id)) for name, claim in self.claims.items()]

    def entry(self, name: str) -> Entry:
        """A claim with all that is known of it."""
        claim = self.load().claims.get(name)
        if claim is None:
            raise BadInput(needed="the name of a claim", given=repr(name[:60]), cure="The list of claims has them all.")
        row = self._newest().get(claim.id)
        record = self.records.get(claim.id)
        return entry_of(claim.id, () if row is None else (row,), self.store, record)[0] or Entry(claim.id, claim)

    def run(self, run: str) -> StoredRun:
        """A stored run, with the figure that was stored with it; a sweep is drawn now."""
        told = {"verdict": "sweep", "reason": "", **self.told(run)}
        claim = known_claim(told.get("id", ""))
        record = self.records.get(claim.id) if claim else None
        stale = record is not None and record.stale
        drawn, trouble = self._drawing(told)
        return StoredRun(told.get("id", run), claim, told, record, stale, drawn, trouble, 1)

    def _drawing(self, told: Mapping[str, Any]) -> tuple[Drawing | None, str]:
        """The figure of a run, or why there is none."""
        try:
            if told.get("kind") == "sweep":
                return maps.draw(self.store.load(told["run"])), ""
            drawn = drawings.from_json(told["drawing"]) if told.get("drawing") else None
        except (BadInput, KeyError, TypeError, ValueError) as error:
            return None, f"The figure cannot be drawn ({error})."
        return drawn, "" if drawn else "This run has no figure: it is judged by its numbers alone."

    def either(self, name: str) -> Entry:
        """A run or a claim, by the name that its figures have."""
        return self.entry(name) if name in self.load().claims else self.run(name)

    def told(self, run: str) -> Mapping[str, Any]:
        """The record of a run by its whole name; of a sweep that is still growing, its plan."""
        if run in self.store.names():
            return self._told(run)
        growing = {one.run: one.record for one in self.store.growing()}
        if run in growing:
            return growing[run]
        raise BadInput(needed="the name of a stored run", given=repr(run[:60]), cure="The list of runs has them all.")

    def contents(self, entry: Entry) -> Contents:
        """What a page of this entry stands among: the other claims."""
        if isinstance(entry, StoredRun):
            return Contents([entry], [], [], images=self.folder)
        return Contents([Entry(claim.id, claim) for claim in self.claims.values()], [], [], images=self.folder)

    def _newest(self) -> dict[str, Mapping[str, Any]]:
        """The newest whole run of each claim."""
        found = {}
        for row in self.store.rows():
            claim = known_claim(row.get("id", ""))
            if claim is not None and "damaged" not in row and "verdict" in row:
                found[claim.id] = row
        return found

    def _item(self, name: str, claim: Claim, row: Mapping[str, Any] | None) -> Item:
        record = self.records.get(claim.id)
        if row is not None:
            try:
                told = self._told(row["run"])
                return Item(
                    claim, name, told["verdict"], f"run {told['created'][:10]}, {told['size']} size", summary(told)
                )
            except StoreFault:
                pass  # not as it was written: the list of runs says so
        if claim.kind == "drawing":
            return Item(claim, name, "skipped", "", "")
        if record is None:
            return Item(claim, name, "not run", "", "")
        stale = ", by older code" if claim.id in self.stale else ""
        told = {"holds": record.holds, "sound": record.sound, "control": record.control}
        return Item(claim, name, record.verdict, f"recorded {record.date}, {record.size} size{stale}", summary(told))


def summary(told: Mapping[str, Any]) -> str:
    """How many readings kept their bounds, and what became of the control."""
    readings = [*(told.get("holds") or ()), *(told.get("sound") or ())]
    if not readings:
        return ""
    kept = sum(bool(reading["ok"]) for reading in readings)
    control = (told.get("control") or {}).get("verdict", "none")
    return f"{kept} of {len(readings)} readings kept · control {control}"
