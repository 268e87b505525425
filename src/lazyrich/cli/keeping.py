"""Commands about stored runs: runs, show, export, import, report, serve, doctor."""

import pathlib
from typing import Annotated

import typer

from ..errors import BadInput
from . import options as o
from .printing import print_json, say, show


def runs(
    pattern: Annotated[str | None, typer.Argument(help="Part of a claim's id or of a run's name.")] = None,
    where: Annotated[
        str | None,
        typer.Option(metavar="CONDITION", help="Only runs that satisfy it: \"weight_decay < 1e-2 and verdict == 'holds'\"."),
    ] = None,
    store: o.Where = None,
    as_json: o.Json = False,
) -> None:
    """List stored runs, oldest first."""
    from ..lab import Store

    place = Store(store)
    rows = place.find(pattern, where)
    if as_json:
        print_json({"runs": rows, "store": place.shown})
        return
    from ..report import tables

    show(tables.runs_table(rows, place.shown))


def show_run(
    run: o.Run,
    store: o.Where = None,
    as_json: o.Json = False,
    out: o.Out = "figures",
    measure: Annotated[str | None, typer.Option(metavar="NAME", help="Of a sweep: the array to draw.")] = None,
    x: Annotated[str | None, typer.Option(metavar="NAME", help="Of a sweep: the horizontal axis.")] = None,
    y: Annotated[str | None, typer.Option(metavar="NAME", help="Of a sweep: the vertical axis.")] = None,
    facet: Annotated[str | None, typer.Option(metavar="NAME", help="Of a sweep: a panel for each value.")] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Of a sweep: an axis at one value, in place of the median along it."),
    ] = None,
    edge: Annotated[
        list[str] | None, typer.Option(metavar="FORMULA", help="Of a sweep: a line where a formula of the parameters is 1.")
    ] = None,
) -> None:
    """Show a stored run: verdict, readings, settings, provenance, how to reproduce it; a sweep is drawn."""
    from ..api.report import describe, draw_sweep
    from ..lab import Store
    from ..lab.assignments import assignments

    place = Store(store)
    found = describe(run, place)
    if found.get("kind") == "sweep":
        lines = {f"{text} = 1": f"={text.removeprefix('=')}" for text in edge or ()}
        fixed = assignments(at or ())
        chosen = {"measure": measure, "x": x, "y": y, "facet": facet, "at": fixed, "edges": lines}
        try:
            found["files"] = [str(path) for path in draw_sweep(found["run"], place, out, **chosen)]
        except BadInput as error:  # it has no picture, but a record
            if any(chosen.values()):
                raise
            say(f"not drawn: {error}")
    if as_json:
        print_json(found)
        return
    from ..report import tables

    first = tables.sweep_table(found) if found.get("kind") == "sweep" else tables.verdict_table([found])
    show(first, tables.provenance_table(found), *found["files"])


def export(
    run: o.Run,
    to: Annotated[pathlib.Path, typer.Option(metavar="FILE", help="A new file: .csv, .nc, .zarr, or .parquet (extra parquet).")],
    store: o.Where = None,
) -> None:
    """Write a stored run for another program; its record goes with it."""
    from ..lab import Store
    from ..lab.store.export import export as write
    from ..lab.store.export import require_kind

    require_kind(to)
    show(*(f"wrote {path}" for path in write(Store(store).load(run), to)))


def import_run(
    file: Annotated[pathlib.Path, typer.Argument(metavar="FILE.npz", help="What lazyrich.lab.jobs.remote wrote.")],
    out: o.Out = "figures",
    store: o.Where = None,
    as_json: o.Json = False,
) -> None:
    """Judge, store and draw a simulation that was made on another machine."""
    from ..api.check import document, require_place, save
    from ..api.jobs import import_job
    from ..lab import Store
    from ..lab.machine import prepare
    from .judging import exit_code

    prepare()
    require_place(out)
    result = save(import_job(file, Store(store), say=say), out)
    found = document([result])
    if as_json:
        print_json(found)
    else:
        from ..report import tables

        show(tables.verdict_table(found["results"]), f"stored as {result.run} in {Store(store).folder}")
    raise typer.Exit(exit_code(found["summary"], lost=result.run is None))


def report(
    out: Annotated[pathlib.Path, typer.Option(metavar="DIR", help="A new folder for the pages.")],
    ids: o.SomeIds = None,
    paper: o.Paper = None,
    store: o.Where = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older report there.")] = False,
) -> None:
    """Write pages of stored runs, the latest of each claim: figures, verdicts, numbers; they open from disk."""
    from ..api.report import report as write
    from ..lab import Store
    from .progress import watched

    with watched("report") as progress:
        first = write(Store(store), out, ids=ids or (), paper=paper, force=force, progress=progress)
    show(f"wrote {first}")


def serve(
    host: Annotated[str, typer.Option(help="The address to serve at; any but 127.0.0.1 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = 8321,
    store: o.Where = None,
) -> None:
    """Serve the page for a browser: a playground, the claims, the runs."""
    from ..web import serve as open_page

    open_page(store, host=host, port=port, say=say)


def doctor(store: o.Where = None, as_json: o.Json = False) -> None:
    """Check versions, devices, precision, cache and store; name what is missing and how to get it."""
    from ..api.doctor import doctor as examine
    from ..lab import Store

    found = examine(Store(store))
    if as_json:
        print_json(found)
    else:
        from ..report import tables

        show(tables.doctor_table(found))
    raise typer.Exit(0 if found["ok"] else 4)
