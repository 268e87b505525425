"""Commands about what is kept: runs, show, export, import, report, serve, doctor."""

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
        typer.Option(metavar="QUESTION", help="Only runs that answer yes: \"decay < 1e-2 and verdict == 'holds'\"."),
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
        list[str] | None,
        typer.Option(metavar="FORMULA", help="Of a sweep: a line where a formula of the parameters is 1."),
    ] = None,
) -> None:
    """Show a stored run: verdict, readings, settings, where it was made, how to make it again; a sweep is drawn."""
    from ..desk import draw_sweep, story
    from ..lab import Store
    from ..lab.grammar import assignments

    place = Store(store)
    told = story(run, place)
    if told.get("kind") == "sweep":
        lines = {f"{text} = 1": f"={text.removeprefix('=')}" for text in edge or ()}
        fixed = assignments(at or ())
        chosen = {"measure": measure, "x": x, "y": y, "facet": facet, "at": fixed, "edges": lines}
        try:
            told["files"] = [str(path) for path in draw_sweep(told["run"], place, out, **chosen)]
        except BadInput as error:  # it has no picture, but more to tell
            if any(chosen.values()):
                raise
            say(f"not drawn: {error}")
    if as_json:
        print_json(told)
        return
    from ..report import tables

    first = tables.sweep_table(told) if told.get("kind") == "sweep" else tables.verdict_table([told])
    show(first, tables.provenance_table(told), *told["files"])


def export(
    run: o.Run,
    to: Annotated[pathlib.Path, typer.Option(metavar="FILE", help="A new file: .csv .parquet .nc or .zarr.")],
    store: o.Where = None,
) -> None:
    """Write a stored run for another program; its record goes with it."""
    from ..lab import Store
    from ..lab.export import export as write
    from ..lab.export import require_kind

    require_kind(to)
    show(*(f"wrote {path}" for path in write(Store(store).load(run), to)))


def import_run(
    file: Annotated[pathlib.Path, typer.Argument(metavar="FILE.npz", help="What lazyrich.lab.remote wrote.")],
    out: o.Out = "figures",
    store: o.Where = None,
    as_json: o.Json = False,
) -> None:
    """Judge, store and draw a simulation that was made on another machine."""
    from ..desk import bring_home, document, prepare, require_place, save
    from ..lab import Store
    from .judging import exit_code

    prepare()
    require_place(out)
    result = save(bring_home(file, Store(store), say=say), out)
    told = document([result])
    if as_json:
        print_json(told)
    else:
        from ..report import tables

        show(tables.verdict_table(told["results"]), f"stored as {result.run} in {Store(store).folder}")
    raise typer.Exit(exit_code(told["summary"], lost=result.run is None))


def report(
    out: Annotated[pathlib.Path, typer.Option(metavar="DIR", help="A new folder for the pages.")],
    ids: o.SomeIds = None,
    paper: o.Paper = None,
    store: o.Where = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older report there.")] = False,
) -> None:
    """Write pages of stored runs, the latest of each claim: figures, verdicts, numbers; they open from disk."""
    from ..desk import report as write
    from ..lab import Store
    from .progress import watched

    with watched("report") as tell:
        first = write(Store(store), out, ids=ids or (), paper=paper, force=force, tell=tell)
    show(f"wrote {first}")


def serve(
    host: Annotated[
        str, typer.Option(help="The address to answer at; others than 127.0.0.1 let others in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = 8321,
    store: o.Where = None,
) -> None:
    """Open the page: a playground, the claims, the runs, in a browser."""
    from ..web import serve as open_page

    open_page(store, host=host, port=port, say=say)


def doctor(store: o.Where = None, as_json: o.Json = False) -> None:
    """Look at versions, devices, precision, cache and store; say what is missing and how to get it."""
    from ..desk import doctor as examine
    from ..lab import Store

    told = examine(Store(store))
    if as_json:
        print_json(told)
    else:
        from ..report import tables

        show(tables.doctor_table(told))
    raise typer.Exit(0 if told["ok"] else 4)
