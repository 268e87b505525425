"""`python -m lazyrich.cli.results [ID]...`, which `make results` calls: records of runs at the paper's size.

A claim whose record is missing or stale is taken from the store if that has a run of the same code; else it is run as a
job in segments, so that the same command goes on where it was interrupted, within a claim too.
"""

import pathlib
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput, StoreFault
from . import options as o
from .app import answer
from .judging import use_data
from .printing import say, show
from .progress import watched

if TYPE_CHECKING:
    from ..claims import Claim
    from ..lab import Bench, Store

SIZE = "paper"

Told = Mapping[str, Any]
Way = Callable[["Claim"], Told | None]
"""How a claim gets its run: what the run tells of itself, or None where there is nothing to record."""

app = typer.Typer(
    add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@app.command(epilog='Example: make results IDS="woodworth2020/lemma_5 woodworth2020/lemma_6"')
def results(
    ids: o.SomeIds = None,
    paper: o.Paper = None,
    to: Annotated[pathlib.Path, typer.Option(metavar="DIR", help="The folder of records.")] = pathlib.Path(
        "docs/results"
    ),
    seed: o.Seed = 0,
    most: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Leave out what is known to take longer.")
    ] = None,
    again: Annotated[
        bool,
        typer.Option("--again", help="Also what is up to date, from no run that other code made."),
    ] = False,
    from_store: Annotated[bool, typer.Option("--from-store", help="Run nothing: take what is stored.")] = False,
    jobs: Annotated[
        pathlib.Path | None, typer.Option(metavar="DIR", help="Run nothing: write jobs for another machine here.")
    ] = None,
    bring: Annotated[
        pathlib.Path | None, typer.Option(metavar="DIR", help="Run nothing: take the .npz that came of such jobs.")
    ] = None,
    data: o.Data = None,
    store: o.Where = None,
) -> None:
    """Make the records of claims at the paper's size that are missing or stale: all, those of a paper, or those named."""
    from ..desk import prepare, require, require_place
    from ..lab import Store

    if sum((from_store, jobs is not None, bring is not None)) > 1:
        raise BadInput(
            needed="one of --from-store, --jobs and --bring", given="more than one", cure="Call it once for each."
        )
    require(SIZE, seed)
    use_data(data)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    prepare()
    require_place(to)
    due = _due(ids or (), paper, to, again=again, most=most)
    desk = _Desk(Store(store), to, seed, again, _Shared())
    way: Way = desk.run
    if from_store:
        way = desk.any_stored
    elif jobs is not None:
        way = desk.job_in(jobs)
    elif bring is not None:
        way = desk.brought_from(bring)
    made = lost = 0
    for number, claim in enumerate(due, 1):
        try:
            made += desk.record(claim, way, f"{number} of {len(due)}")
        except Exception as fault:  # whatever is wrong with one claim, the others get their records
            word = "" if isinstance(fault, BadInput | StoreFault) else f"{type(fault).__name__}: "
            say(f"{claim.id} has no record: {word}{fault}")
            lost += 1
        except KeyboardInterrupt:
            say(f"interrupted at {claim.id}; what is done is kept: the same command goes on from there")
            raise typer.Exit(130) from None
    show(f"{made} of {len(due)} records made in {to}")
    raise typer.Exit(4 if lost else 0)


def _due(ids, paper: str | None, to: pathlib.Path, *, again: bool, most: float | None) -> "list[Claim]":
    """The claims whose records are to be made: those of one simulation together, the quickest first."""
    from ..claims import every, find
    from ..report.results import read

    known = read(to, say)
    claims = [find(identity) for identity in ids] or list(every(paper))
    fresh = {claim.id for claim in claims if claim.id in known and not known[claim.id].stale and not again}
    long = {claim.id for claim in claims if most is not None and claim.seconds.get(SIZE, 0) > most} - fresh
    due = {claim.id: claim for claim in claims if claim.id not in fresh | long}
    show(f"{len(due)} of {len(claims)} records to make" + (f"; {len(long)} more take over {most:g} s" if long else ""))
    families: dict[tuple, list[Claim]] = {}
    for claim in sorted(due.values(), key=lambda claim: claim.seconds.get(SIZE, 0)):
        families.setdefault(_family(claim), []).append(claim)
    return [claim for family in families.values() for claim in family]


def _family(claim: "Claim") -> tuple:
    """What claims that share runs have in common."""
    return claim.simulation.run, claim.simulation.pose


class _Shared:
    """Remembers the runs of one simulation, for the next claims on it."""

    def __init__(self):
        self._family, self._bench = None, None

    def bench(self, claim: "Claim") -> "Bench":
        """The bench of the claim's simulation; that of another is let go of."""
        from ..lab.bench import Bench

        if self._bench is None or self._family != _family(claim):
            self._family, self._bench = _family(claim), Bench()
        return self._bench


@dataclass(frozen=True)
class _Desk:
    """The ways to a run, and where its record goes."""

    store: "Store"
    folder: pathlib.Path
    seed: int
    again: bool
    shared: _Shared

    def record(self, claim: "Claim", way: Way, where: str) -> bool:
        """Find or make the run of a claim, and write its record; whether there was something to write."""
        from ..report.results import write

        drawing = claim.kind == "drawing"
        told = self._drawn(claim) if drawing else self._stored(claim, same=True) or way(claim)
        if told is None:
            return False
        record = write(self.folder, claim, told)
        stale = ", but stale: it was made by other code" if record.stale else ""
        show(f"{claim.id}: {record.verdict}, {record.seconds:.1f} s on {record.machine['device']}{stale} ({where})")
        return True

    def run(self, claim: "Claim") -> Told | None:
        """Run it here as a job, on from the segments that an interrupted process left; what its family ran is not run again."""
        from ..desk import write_job
        from ..lab.job import Job
        from ..lab.remote import run_job
        from ..report.results import digest, stem

        if missing := claim.missing(SIZE):
            say(f"{claim.id} is left out: {'; '.join(missing)}")
            return None
        self.store.require_writable()
        job = self.store.folder / "jobs" / f"{stem(claim.id)}-{self.seed}-{digest(claim)}.json"
        out = job.with_suffix(".npz")
        if not job.exists():
            write_job(claim.id, size=SIZE, seed=self.seed, changes={}, file=job)
        with watched(claim.id) as tell:
            if not out.exists():
                run_job(
                    Job.from_json(job.read_text(encoding="utf-8"), str(job)),
                    out,
                    lambda *at: tell("runs", *at[:2]),
                    shared=self.shared.bench(claim),
                )
            told = self._home(out)
        for left in job.parent.glob(f"{stem(claim.id)}-{self.seed}-*"):  # of code that is no more, too
            left.unlink()
        return told

    def any_stored(self, claim: "Claim") -> Told | None:
        """The best of what is stored, by whatever code."""
        told = self._stored(claim, same=False)
        if told is None:
            say(f"{claim.id} has no run of seed {self.seed} at the paper's size in {self.store.folder}")
        return told

    def job_in(self, folder: pathlib.Path) -> Way:
        """Write it as a job for another machine."""
        from ..desk import write_job
        from ..report.results import stem

        def way(claim: "Claim") -> None:
            file = folder / f"{stem(claim.id)}.json"
            write_job(claim.id, size=SIZE, seed=self.seed, changes={}, file=file)
            show(f"there: python -m lazyrich.lab.remote {file.name} --out {file.stem}.npz")

        return way

    def brought_from(self, folder: pathlib.Path) -> Way:
        """Take what came of a job on another machine."""
        from ..lab.job import unpack

        if not folder.is_dir():
            raise BadInput(needed="--bring takes a folder", given=f"{folder}, which is none", cure="Check the path.")

        files = {}
        for file in sorted(folder.glob("*.npz")):
            try:
                job = unpack(file)[0]
            except BadInput as fault:
                say(str(fault))
                continue
            if (job.size, job.seed, dict(job.changes)) == (SIZE, self.seed, {}):
                files[job.id] = file
        return lambda claim: self._home(files[claim.id]) if claim.id in files else None

    def _home(self, file: pathlib.Path) -> Told:
        """Judge and store what came of a job."""
        from ..desk import bring_home

        result = bring_home(file, self.store, say=say)
        if result.run is None:
            raise StoreFault(needed="a run must be stored", given=f"that of {file}, which was not", cure="It is kept.")
        return self.store.load(result.run).attrs

    def _stored(self, claim: "Claim", *, same: bool) -> Told | None:
        """The best stored run: of the same code and the usual parameters if there is one (or none, if `same`), the newest."""
        from ..claims.base import plain
        from ..lab.provenance import source
        from ..report.results import digest

        names = {claim.id, *claim.other_ids}
        usual = {name: plain(value) for name, value in claim.settle(SIZE).shown().items()}

        def rank(row: Told) -> tuple[bool, bool, str]:
            code = row.get("claim_source") == digest(claim) and (not self.again or row["source"] == source())
            return code, row["params"] == usual, row["run"]

        rows = [row for row in self.store.rows() if "damaged" not in row and row["id"] in names and "verdict" in row]
        rows = [row for row in rows if (row["size"], row["seed"]) == (SIZE, self.seed)]
        for row in sorted(rows, key=rank, reverse=True):
            if same and not all(rank(row)[:2]):
                break
            try:
                return self.store.load(row["run"]).attrs
            except StoreFault as fault:
                say(str(fault))
        return None

    def _drawn(self, claim: "Claim") -> Told:
        """What a drawing of a model tells: there is no run to store."""
        from ..claims import check, record
        from ..lab.machine import environment

        told = record.record(claim, check(claim, size=SIZE, seed=self.seed), environment())
        return {**told, "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}


if __name__ == "__main__":
    answer(app, "make results")
