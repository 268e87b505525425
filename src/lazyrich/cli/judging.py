"""Commands that compute: list, run, check, calibrate."""

import pathlib
from typing import Annotated

import typer

from ..errors import BadInput, StoreFault
from . import options as o
from .printing import print_json, say, show
from .progress import watched


def list_claims(pattern: o.Pattern = None, paper: o.Paper = None, as_json: o.Json = False) -> None:
    """List the claims that can be checked."""
    from ..claims.registry import descriptions

    claims = list(descriptions(paper, pattern=pattern))
    if as_json:
        print_json({"claims": claims})
        return
    from ..report import tables

    show(tables.claims_table(claims))


def run(
    ids: o.Ids,
    size: o.Size = "quick",
    seed: o.Seed = 0,
    sets: o.Sets = None,
    data: o.Data = None,
    out: o.Out = "figures",
    store: o.Where = None,
    reuse: o.Reuse = False,
    job: Annotated[
        pathlib.Path | None, typer.Option(metavar="FILE.json", help="Write the simulation as a job for another machine instead.")
    ] = None,
    as_json: o.Json = False,
) -> None:
    """Compute claims, judge them, store them and draw them."""
    from ..api.check import require_place, save

    if job is not None:
        _write_job(ids, job, size=size, seed=seed, sets=sets, as_json=as_json)
        return
    use_data(data)
    require_place(out)
    _judge(ids, size=size, seed=seed, sets=sets, store=store, reuse=reuse, as_json=as_json, draw=lambda r: save(r, out))


def check(
    ids: o.SomeIds = None,
    paper: o.Paper = None,
    everything: Annotated[bool, typer.Option("--all", help="Every claim, each once.")] = False,
    size: o.Size = "quick",
    seed: o.Seed = 0,
    sets: o.Sets = None,
    data: o.Data = None,
    store: o.Where = None,
    reuse: o.Reuse = False,
    as_json: o.Json = False,
) -> None:
    """Judge claims, store them and draw none."""
    from ..api.check import select

    use_data(data)
    chosen = [*(ids or ()), *(claim.id for claim in (select(None, paper) if paper or everything else ()))]
    if not chosen:
        raise BadInput(needed="check needs ids, --paper or --all", given="none of them", cure="Try: lazyrich check --all")
    _judge(chosen, size=size, seed=seed, sets=sets, store=store, reuse=reuse, as_json=as_json, draw=lambda result: result)


def calibrate(
    identity: o.Id,
    seeds: Annotated[int, typer.Option(min=2, help="How many seeds, from 0.")] = 20,
    size: o.Size = "quick",
    as_json: o.Json = False,
) -> None:
    """Read a claim and its controls over many seeds, beside their bounds."""
    from ..api.check import require
    from ..claims import find
    from ..claims.calibrate import calibrate as over_seeds
    from ..lab.machine import prepare

    prepare()
    claim, known = find(identity), require(size, 0)
    with watched(f"calibrating {identity}") as progress:
        rows = over_seeds(claim, seeds=seeds, size=known, notify=lambda done: progress("seeds", done, seeds))
    if as_json:
        print_json({"id": identity, "size": size, "seeds": seeds, "readings": rows})
        return
    from ..report import tables

    show(tables.calibration_table(rows, title=f"{identity}, {seeds} seeds, size {size}"))


def use_data(folder: pathlib.Path | None) -> None:
    """Look for data sets in this folder, or refuse one that is not there."""
    if folder is not None and not folder.is_dir():
        raise BadInput(needed="--data takes a folder of data sets", given=f"{folder}, which is none", cure="Check the path.")
    if folder is not None:
        from ..lab.datasets import place

        place(folder)


def _write_job(ids, file: pathlib.Path, *, size, seed, sets, as_json: bool) -> None:
    from ..api.jobs import write_job
    from ..lab.assignments import assignments

    if len(ids) != 1:
        raise BadInput(needed="a job holds one claim", given=", ".join(ids), cure="Write one file for each.")
    write_job(ids[0], size=size, seed=seed, changes=assignments(sets or ()), file=file)
    if as_json:
        print_json({"job": str(file)})
        return
    show(
        f"wrote {file}; on the other machine:  python -m lazyrich.lab.jobs.remote {file.name} --out {file.stem}.npz",
        f"then here:  lazyrich import {file.stem}.npz",
    )


def _meant(given: str) -> list[str]:
    """The id itself, or every claim of a paper where it says paper/*."""
    from ..api.check import select

    paper, _, item = given.partition("/")
    return [claim.id for claim in select(None, paper)] if item == "*" else [given]


def _judge(ids, *, size, seed, sets, store, reuse, as_json, draw) -> None:
    from ..api.check import check_many, document
    from ..lab import Runner, Store
    from ..lab.assignments import assignments
    from ..lab.machine import prepare

    ids = [one for given in ids for one in _meant(given)]
    changes, place = assignments(sets or ()), Store(store)
    prepare()
    options = {"size": size, "seed": seed, "changes": changes, "store": place, "reuse": reuse}
    results, remarks, lost, stopped = [], [], False, False
    with watched("checking") as progress:

        def of_all(what: str, done: int, total: int) -> None:
            progress(f"{what}, {done} of {total}", len(results), len(ids))

        try:
            runner = Runner(progress if len(ids) == 1 else of_all)
            for result in check_many(ids, runner=runner, say=remarks.append, **options):
                try:
                    results.append(draw(result))
                except StoreFault as fault:
                    results.append(result)
                    remarks.append(str(fault))
                    lost = True
        except KeyboardInterrupt:
            stopped = True
    found = document(results)
    if as_json:
        print_json(found)
    elif results:
        _print_tables(found, place)
    for text in remarks:
        say(text)
    if stopped:
        say(f"interrupted; {len(results)} of {len(ids)} are done and kept in {place.folder}; --reuse continues from there")
        raise typer.Exit(130)
    unkept = any(result.run is None and result.verdict != "skipped" for result in results)
    raise typer.Exit(exit_code(found["summary"], lost=lost or unkept))


def _print_tables(found, place) -> None:
    from ..report import tables

    show(tables.verdict_table(found["results"]))
    if len(found["results"]) > 1:
        show(*(file for result in found["results"] for file in result["files"]))
    kept = [result["run"] for result in found["results"] if result["run"]]
    if kept:
        show(f"stored as {kept[0]}" + (f" and {len(kept) - 1} more" if len(kept) > 1 else "") + f" in {place.folder}")


def exit_code(summary, *, lost: bool) -> int:
    """0 if all is well, 1 if some claim fails, 3 if some are inconclusive; 4 if none fails but something was not kept."""
    return 1 if summary["fails"] else 4 if lost else 3 if summary["inconclusive"] else 0
