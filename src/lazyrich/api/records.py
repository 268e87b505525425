"""Records of runs at the paper's size: which are missing or stale, and the ways to a run for each.

A claim whose record is missing or stale is taken from the store if that has a run of the same code; else it is run as a
job in segments, so that the same command goes on where it was interrupted, within a claim too.
"""

import pathlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..claims import Claim, check, every, find
from ..claims.base import plain
from ..claims.record import record as describe
from ..errors import BadInput, StoreFault
from ..lab import Runner, Store
from ..lab.jobs.job import Job, unpack
from ..lab.jobs.remote import run_job
from ..lab.machine import environment
from ..lab.params import Size
from ..lab.provenance.source import source
from ..report.records import read, stem, write
from .jobs import import_job, write_job

SIZE: Size = "paper"

Say = Callable[[str], None]
Known = Mapping[str, Any]
Way = Callable[[Claim], Known | None]
"""How a claim gets its run: what is known of the run, or None where there is nothing to record."""


def due(
    ids: Iterable[str], paper: str | None, to: pathlib.Path, *, again: bool, most: float | None, say: Say, show: Say
) -> list[Claim]:
    """The claims whose records are to be made: those of one simulation together, the quickest first."""
    known = read(to, say)
    claims = [find(identity) for identity in ids] or list(every(paper))
    fresh = {claim.id for claim in claims if claim.id in known and not known[claim.id].stale and not again}
    long = {claim.id for claim in claims if most is not None and claim.seconds.get(SIZE, 0) > most} - fresh
    wanted = {claim.id: claim for claim in claims if claim.id not in fresh | long}
    show(f"{len(wanted)} of {len(claims)} records to make" + (f"; {len(long)} more take over {most:g} s" if long else ""))
    families: dict[tuple, list[Claim]] = {}
    for claim in sorted(wanted.values(), key=lambda claim: claim.seconds.get(SIZE, 0)):
        families.setdefault(_family(claim), []).append(claim)
    return [claim for family in families.values() for claim in family]


def _family(claim: Claim) -> tuple:
    """What claims that share runs have in common."""
    return claim.simulation.simulate, claim.simulation.make_problem


class _Shared:
    """Remembers the runs of one simulation, for the next claims on it."""

    def __init__(self):
        self._family, self._runner = None, None

    def runner(self, claim: Claim) -> Runner:
        """The runner of the claim's simulation; that of another is let go of."""
        if self._runner is None or self._family != _family(claim):
            self._family, self._runner = _family(claim), Runner()
        return self._runner


@dataclass(frozen=True)
class Recorder:
    """The ways to a run, and where its record goes; `say`, `show` and `watch` are how somebody hears of it."""

    store: Store
    folder: pathlib.Path
    seed: int
    again: bool
    say: Say
    show: Say
    watch: Callable[[str], Any]
    shared: _Shared = field(default_factory=_Shared)

    def record(self, claim: Claim, way: Way, where: str) -> bool:
        """Find or make the run of a claim, and write its record; whether there was something to write."""
        drawing = claim.kind == "drawing"
        known = self._drawn(claim) if drawing else self._stored(claim, same=True) or way(claim)
        if known is None:
            return False
        record = write(self.folder, claim, known)
        stale = ", but stale: it was made by other code" if record.stale else ""
        self.show(f"{claim.id}: {record.verdict}, {record.seconds:.1f} s on {record.machine['device']}{stale} ({where})")
        return True

    def run(self, claim: Claim) -> Known | None:
        """Run it here as a job, on from the segments that an interrupted process left; what its family ran is not run again."""
        if missing := claim.missing(SIZE):
            self.say(f"{claim.id} is left out: {'; '.join(missing)}")
            return None
        self.store.require_writable()
        job = self.store.folder / "jobs" / f"{stem(claim.id)}-{self.seed}-{claim.digest}.json"
        out = job.with_suffix(".npz")
        if not job.exists():
            write_job(claim.id, size=SIZE, seed=self.seed, changes={}, file=job)
        with self.watch(claim.id) as notify:
            if not out.exists():
                run_job(
                    Job.from_json(job.read_text(encoding="utf-8"), str(job)),
                    out,
                    lambda *at: notify("runs", *at[:2]),
                    shared=self.shared.runner(claim),
                )
            known = self._home(out)
        for left in job.parent.glob(f"{stem(claim.id)}-{self.seed}-*"):  # of code that is no more, too
            left.unlink()
        return known

    def any_stored(self, claim: Claim) -> Known | None:
        """The best of what is stored, by whatever code."""
        known = self._stored(claim, same=False)
        if known is None:
            self.say(f"{claim.id} has no run of seed {self.seed} at the paper's size in {self.store.folder}")
        return known

    def job_in(self, folder: pathlib.Path) -> Way:
        """Write it as a job for another machine."""

        def way(claim: Claim) -> None:
            file = folder / f"{stem(claim.id)}.json"
            write_job(claim.id, size=SIZE, seed=self.seed, changes={}, file=file)
            self.show(f"there: python -m lazyrich.lab.jobs.remote {file.name} --out {file.stem}.npz")

        return way

    def brought_from(self, folder: pathlib.Path) -> Way:
        """Take what came of a job on another machine."""
        if not folder.is_dir():
            raise BadInput(needed="--bring takes a folder", given=f"{folder}, which is none", cure="Check the path.")

        files = {}
        for file in sorted(folder.glob("*.npz")):
            try:
                job = unpack(file)[0]
            except BadInput as fault:
                self.say(str(fault))
                continue
            if (job.size, job.seed, dict(job.changes)) == (SIZE, self.seed, {}):
                files[job.id] = file
        return lambda claim: self._home(files[claim.id]) if claim.id in files else None

    def _home(self, file: pathlib.Path) -> Known:
        """Judge and store what came of a job."""
        result = import_job(file, self.store, say=self.say)
        if result.run is None:
            raise StoreFault(needed="a run must be stored", given=f"that of {file}, which was not", cure="It is kept.")
        return self.store.load(result.run).attrs

    def _stored(self, claim: Claim, *, same: bool) -> Known | None:
        """The best stored run: of the same code and the usual parameters if there is one (or none, if `same`), the newest."""
        names = {claim.id, *claim.other_ids}
        usual = {name: plain(value) for name, value in claim.resolve(SIZE).shown().items()}

        def rank(row: Known) -> tuple[bool, bool, str]:
            code = row.get("claim_source") == claim.digest and (not self.again or row["source"] == source())
            return code, row["params"] == usual, row["run"]

        rows = [row for row in self.store.rows() if "damaged" not in row and row["id"] in names and "verdict" in row]
        rows = [row for row in rows if (row["size"], row["seed"]) == (SIZE, self.seed)]
        for row in sorted(rows, key=rank, reverse=True):
            if same and not all(rank(row)[:2]):
                break
            try:
                return self.store.load(row["run"]).attrs
            except StoreFault as fault:
                self.say(str(fault))
        return None

    def _drawn(self, claim: Claim) -> Known:
        """What a drawing of a model tells: there is no run to store."""
        known = describe(claim, check(claim, size=SIZE, seed=self.seed), environment())
        return {**known, "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
