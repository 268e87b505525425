"""All claims with their newest result: a stored run, or else the committed record of a run at paper size."""

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
from ..report import maps
from ..report import records as committed
from ..report.pages.contents import Contents, Entry, entry_of, known_claim, safe_name
from ..report.records import Record


@dataclass(frozen=True)
class ClaimRow:
    """One row of the list of claims: the claim, its verdict, where the verdict comes from, and a summary of its readings."""

    claim: Claim
    name: str
    verdict: str
    origin: str
    summary: str


@dataclass(frozen=True)
class StoredRun(Entry):
    """A single run: its figures are named after the run, not after its claim."""

    @property
    def name(self) -> str:
        """The name of the run."""
        return (self.result or {})["run"]


class ClaimIndex:
    """Reads a store and the folder of records; what cannot change is read once."""

    def __init__(self, store: Store, folder: Any):
        """`folder` holds the committed records, or is None."""
        self.store, self.folder = store, folder
        self._lock = threading.Lock()
        self._stored_result = lru_cache(1_024)(store.record)

    @cached_property
    def records(self) -> dict[str, Record]:
        """The committed records of runs at paper size, by claim id."""
        return {} if self.folder is None else committed.read(self.folder, lambda text: None)

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """Every claim by the name of its page."""
        return {safe_name(claim.id): claim for claim in every()}

    @cached_property
    def stale(self) -> frozenset[str]:
        """The ids of claims whose record was made by other code."""
        return frozenset(identity for identity, record in self.records.items() if record.stale)

    def load(self) -> "ClaimIndex":
        """Read claims and records once, in the thread that comes first."""
        with self._lock:
            _ = self.claims, self.records, self.stale
        return self

    def rows(self) -> list[ClaimRow]:
        """All claims in their order."""
        self.load()
        newest = self._newest_runs()
        return [self._row(name, claim, newest.get(claim.id)) for name, claim in self.claims.items()]

    def entry(self, name: str) -> Entry:
        """A claim with its newest run and its record."""
        claim = self.load().claims.get(name)
        if claim is None:
            raise BadInput(needed="the name of a claim", given=repr(name[:60]), cure="See the list of claims for their names.")
        run = self._newest_runs().get(claim.id)
        record = self.records.get(claim.id)
        return entry_of(claim.id, () if run is None else (run,), self.store, record)[0] or Entry(claim.id, claim)

    def run(self, run: str) -> StoredRun:
        """A stored run with its stored figure; the figure of a sweep is drawn now."""
        result = {"verdict": "sweep", "reason": "", **self.run_result(run)}
        claim = known_claim(result.get("id", ""))
        record = self.records.get(claim.id) if claim else None
        stale = record is not None and record.stale
        drawing, message = self._drawing(result)
        return StoredRun(result.get("id", run), claim, result, record, stale, drawing, message, 1)

    def _drawing(self, result: Mapping[str, Any]) -> tuple[Drawing | None, str]:
        """The figure of a run, or the reason why there is none."""
        try:
            if result.get("kind") == "sweep":
                return maps.draw(self.store.load(result["run"])), ""
            drawing = drawings.from_json(result["drawing"]) if result.get("drawing") else None
        except (BadInput, KeyError, TypeError, ValueError) as error:
            return None, f"The figure cannot be drawn ({error})."
        return drawing, "" if drawing else "This run has no figure: it is judged by its numbers alone."

    def entry_or_run(self, name: str) -> Entry:
        """A claim or a run, by the name of its figures."""
        return self.entry(name) if name in self.load().claims else self.run(name)

    def run_result(self, run: str) -> Mapping[str, Any]:
        """The stored result of a run, by the full name of the run; of an unfinished sweep, its plan."""
        if run in self.store.names():
            return self._stored_result(run)
        growing = {one.run: one.record for one in self.store.growing()}
        if run in growing:
            return growing[run]
        raise BadInput(needed="the name of a stored run", given=repr(run[:60]), cure="See the list of runs for their names.")

    def contents(self, entry: Entry) -> Contents:
        """The other claims, which a page of this entry links to."""
        if isinstance(entry, StoredRun):
            return Contents([entry], [], [], images=self.folder)
        return Contents([Entry(claim.id, claim) for claim in self.claims.values()], [], [], images=self.folder)

    def _newest_runs(self) -> dict[str, Mapping[str, Any]]:
        """The newest undamaged run of each claim."""
        newest = {}
        for run in self.store.rows():
            claim = known_claim(run.get("id", ""))
            if claim is not None and "damaged" not in run and "verdict" in run:
                newest[claim.id] = run
        return newest

    def _row(self, name: str, claim: Claim, run: Mapping[str, Any] | None) -> ClaimRow:
        record = self.records.get(claim.id)
        if run is not None:
            try:
                result = self._stored_result(run["run"])
                origin = f"run of {result['created'][:10]}, {result['size']} size"
                return ClaimRow(claim, name, result["verdict"], origin, summary(result))
            except StoreFault:
                pass  # the run is damaged: the list of runs shows it
        if claim.kind == "drawing":
            return ClaimRow(claim, name, "skipped", "", "")
        if record is None:
            return ClaimRow(claim, name, "not run", "", "")
        stale = ", by older code" if claim.id in self.stale else ""
        result = {"holds": record.holds, "sound": record.sound, "controls": record.controls}
        origin = f"record of {record.date}, {record.size} size{stale}"
        return ClaimRow(claim, name, record.verdict, origin, summary(result))


def summary(result: Mapping[str, Any]) -> str:
    """How many readings are within their bounds, and the verdicts of the controls."""
    readings = [*(result.get("holds") or ()), *(result.get("sound") or ())]
    if not readings:
        return ""
    within = sum(bool(reading["ok"]) for reading in readings)
    verdicts = [control["verdict"] for control in result.get("controls") or ()] or ["none"]
    noun = "control" if len(verdicts) == 1 else "controls"
    return f"{within} of {len(readings)} readings within bounds · {noun} {', '.join(dict.fromkeys(verdicts))}"
