"""What a report is made of: for each claim its latest whole run, its record at the paper's size, its drawing."""

import hashlib
import pathlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...claims import Claim, every, find
from ...claims import drawing as drawings
from ...claims.drawing import Drawing
from ...errors import BadInput, StoreFault
from ...lab import Store
from ..records import Record

Row = Mapping[str, Any]
_PLAIN = re.compile(r"(?!index$)\w+(?:/\w+)?", re.ASCII)


@dataclass(frozen=True)
class Entry:
    """A claim of the report. `result` is the record of its latest run; a claim that is no longer known has no `claim`.

    `stale` says that the code has changed since the `record` was made, `outdated` that it has since the run was.
    """

    id: str
    claim: Claim | None = None
    result: Mapping[str, Any] | None = None
    record: Record | None = None
    stale: bool = False
    drawing: Drawing | None = None
    trouble: str = ""
    runs: int = 0
    outdated: bool = False

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.claim.paper if self.claim else self.id.partition("/")[0]

    @property
    def kind(self) -> str:
        """What sort of claim it is."""
        return self.claim.kind if self.claim else "statement"

    @property
    def title(self) -> str:
        """Its title, as the library has it now or else as the run has it."""
        return self.claim.title if self.claim else (self.result or {}).get("title", self.id)

    @property
    def verdict(self) -> str:
        """The verdict of the latest run."""
        if self.result is not None:
            return self.result["verdict"]
        return "skipped" if self.kind == "drawing" else "not run"

    @property
    def name(self) -> str:
        """The claim's part of the names of its files."""
        return safe_name(self.id)


@dataclass(frozen=True)
class Contents:
    """All of a report: its claims, those that were never run, and the runs that cannot be read (with what is wrong)."""

    entries: Sequence[Entry]
    missing: Sequence[Claim]
    damaged: Sequence[tuple[str, str]]
    remarks: Sequence[str] = ()
    images: pathlib.Path | None = None

    @property
    def papers(self) -> list[str]:
        """The keys of the papers, in the order of the claims."""
        return list(dict.fromkeys(entry.paper for entry in self.entries))

    def of(self, paper: str) -> list[Entry]:
        """The claims of one paper."""
        return [entry for entry in self.entries if entry.paper == paper]


def gather(
    store: Store,
    *,
    ids: Sequence[str] = (),
    paper: str | None = None,
    records: Mapping[str, Record] | None = None,
    images: pathlib.Path | None = None,
    remarks: Sequence[str] = (),
) -> Contents:
    """The claims named, or those of a paper, or all that the store has runs of; a claim named without a run is refused.

    Of each claim the newest run that can be read is taken.
    """
    known = {claim.id: claim for claim in every(paper)}
    named = [find(identity).id for identity in ids]
    rows = [row for row in store.find() if row.get("kind") != "sweep"]
    if not rows:
        raise BadInput(
            needed="a report is made of stored runs",
            given=f"none in {store.folder}",
            cure="Make some: lazyrich check --all; or name another store with --store.",
        )
    runs, damaged = _by_claim(rows), [(row["run"], row["damaged"]) for row in rows if "damaged" in row]
    wanted = named or [one for one in _scope(known, runs, paper) if one in runs or one in (records or {})]
    wanted += [one for one in _drawings(known, wanted) if not named]
    entries = []
    for identity in sorted(wanted, key=_order([claim.id for claim in every()])):
        entry, broken = entry_of(identity, runs.get(identity, ()), store, (records or {}).get(identity))
        damaged += [one for one in broken if one not in damaged]
        if entry is not None:
            entries.append(entry)
    _require(named or ([paper] if paper else []), entries, damaged, store)
    shown = {entry.id for entry in entries}
    papers = {entry.paper for entry in entries}
    missing = [] if named else [claim for claim in every(paper) if claim.id not in shown and claim.paper in papers]
    broken = sorted((run, what.removeprefix(f"run {run}, of which ")) for run, what in damaged)
    return Contents(entries, missing, broken, tuple(remarks), images)


def _by_claim(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Whole runs by the id of their claim, oldest first; an alias counts as its claim."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if "damaged" not in row and "id" in row:
            claim = known_claim(row["id"])
            found.setdefault(claim.id if claim else row["id"], []).append(row)
    return found


def _scope(known: Mapping[str, Claim], runs: Mapping[str, Any], paper: str | None) -> list[str]:
    """Every claim of the papers that were run, and runs of claims that are no longer known."""
    papers = {one.partition("/")[0] for one in runs}
    strangers = [one for one in runs if one not in known and paper in (None, one.partition("/")[0])]
    return [one for one in known if one.partition("/")[0] in papers] + strangers


def _drawings(known: Mapping[str, Claim], wanted: Sequence[str]) -> list[str]:
    """Pictures of models that belong to the papers in question; they are not stored, since nothing is computed."""
    papers = {one.partition("/")[0] for one in wanted}
    return [c.id for c in known.values() if c.kind == "drawing" and c.paper in papers and c.id not in wanted]


def _order(ids: Sequence[str]):
    places = {identity: place for place, identity in enumerate(ids)}
    return lambda identity: (places.get(identity, len(places)), identity)


def entry_of(
    identity: str, rows: Sequence[Row], store: Store, record: Record | None
) -> tuple[Entry | None, list[tuple[str, str]]]:
    """The claim with its newest run that can be read, and the runs that could not; None if there is nothing to show."""
    broken, result = [], None
    for row in reversed(rows):
        try:
            result = store.record(row["run"])
            break
        except StoreFault as fault:
            broken.append((row["run"], fault.given))
    claim = known_claim(identity)
    drawn, trouble = _drawing(claim, result)
    if result is None and record is None and drawn is None:
        return None, broken
    stale = record is not None and record.stale
    made_by = (result or {}).get("claim_source")
    outdated = claim is not None and made_by is not None and made_by != claim.digest
    return Entry(identity, claim, result, record, stale, drawn, trouble, len(rows) - len(broken), outdated), broken


def known_claim(identity: str) -> Claim | None:
    """The claim of this id, unless the library no longer has it."""
    try:
        return find(identity)
    except BadInput:
        return None


def _drawing(claim: Claim | None, result: Mapping[str, Any] | None) -> tuple[Drawing | None, str]:
    """The drawing, or why there is none."""
    if claim is not None and claim.kind == "drawing" and claim.draw is not None:
        return claim.draw(), ""
    if result is None:
        return None, "No run is stored, so there is nothing to draw."
    if result.get("drawing") is None:
        return None, "This claim has no figure: it is judged by its numbers alone."
    try:
        return drawings.from_json(result["drawing"]), ""
    except (KeyError, TypeError, ValueError) as error:
        return None, f"The stored figure cannot be read ({type(error).__name__}: {error})."


def _require(asked: Sequence[str], entries: Sequence[Entry], damaged: Sequence[Any], store: Store) -> None:
    """Refuse a claim or paper that was named and has no run."""
    there = {entry.id for entry in entries} | {entry.paper for entry in entries}
    if lacking := [one for one in asked if one not in there]:
        raise BadInput(
            needed="a report is made of stored runs",
            given=f"none of {', '.join(lacking)} in {store.folder}" + (" that can be read" if damaged else ""),
            cure=f"Make one: lazyrich {'run' if '/' in lacking[0] else 'check --paper'} {lacking[0]}",
        )


def safe_name(identity: str) -> str:
    """An id as the name of a file: as it is, with a dash; what no claim is called gets a digest."""
    if _PLAIN.fullmatch(identity):
        return identity.replace("/", "-")
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", identity).strip("-")[:60]
    return f"{plain}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}"
