"""Stored runs and records, shown: pages of them, the map of a sweep, the record of one run."""

import pathlib
from collections.abc import Callable, Iterable
from typing import Any

from ..lab import Store
from ..lab.provenance.source import PACKAGE
from .check import no_place


def describe(run: str, store: Store) -> dict[str, Any]:
    """The record of a run, and the arrays it holds."""
    data = store.load(run)
    known = {name: value for name, value in data.attrs.items() if name != "drawing"}
    arrays = {str(name): {"axes": dict(array.sizes), "dtype": str(array.dtype)} for name, array in data.variables.items()}
    path = store.sweeps / known["run"] if known.get("growing") else store.path(known["run"])
    return {**known, "files": [], "arrays": arrays, "store": store.shown, "path": str(path)}


def draw_sweep(run: str, store: Store, folder: str | pathlib.Path, **chosen: Any) -> list[pathlib.Path]:
    """Draw a sweep: curves along one axis or a map over two, PNG and SVG with the numbers beside them as CSV."""
    from ..report import maps

    try:
        return maps.save(store.load(run), folder, **chosen)
    except OSError as error:
        raise no_place(folder, error) from error


def report(
    store: Store,
    out: str | pathlib.Path,
    *,
    ids: Iterable[str] = (),
    paper: str | None = None,
    results: str | pathlib.Path | None = None,
    force: bool = False,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> pathlib.Path:
    """Pages of stored runs, and of the records of paper-size runs in the folder `results`; gives the first page.

    The claims named, those of a paper, or all that were run. An older report is replaced only with `force`.
    """
    from ..report import records as kept
    from ..report.pages import build, contents, drawn

    folder, known = pathlib.Path(out), results_folder() if results is None else pathlib.Path(results)
    build.require_place(folder, force=force)
    remarks: list[str] = []
    records = {} if known is None else kept.read(known, remarks.append)
    with drawn.helpers(len(store.names())) as pool:
        found = contents.gather(store, ids=list(ids), paper=paper, records=records, images=known, remarks=remarks)
        try:
            return build.build(found, folder, force=force, progress=progress, pool=pool)
        except OSError as error:
            raise no_place(folder, error) from error


def results_folder() -> pathlib.Path | None:
    """The records of paper-size runs: those of a checkout, or those that were installed with the package."""
    folders = (PACKAGE.parents[1] / "docs" / "results", PACKAGE / "results")
    return next((folder for folder in folders if folder.is_dir()), None)
