"""The command that sweeps: a claim's simulation at every point of a grid."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput
from . import options as o
from .printing import print_json, print_line, say, show
from .progress import watched

if TYPE_CHECKING:
    from ..lab.sweeps.coordinator import Progress, Swept

# Seconds between two lines of progress where nobody looks at a bar.
PAUSE = 10.0


def sweep(
    identity: Annotated[str | None, typer.Argument(metavar="ID", help="A claim, as paper/item.", autocompletion=o.claims)] = None,
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUES",
            help="An axis: alpha=1,3,10, width=10..19, alpha=lin:0:1:11 or alpha=log:1e-4:1e2:25.",
            autocompletion=o.names,
        ),
    ] = None,
    sets: o.Sets = None,
    size: Annotated[str | None, typer.Option(help="quick or paper.", show_default="quick", autocompletion=o.sizes)] = None,
    seed: Annotated[int | None, typer.Option(help="Shifts all random draws.", show_default="0")] = None,
    engine: Annotated[
        str, typer.Option(metavar="local|dask|ADDRESS", help="This process, a cluster of processes here, or tcp://HOST:PORT.")
    ] = "local",
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Compute what is missing of an unfinished sweep.", autocompletion=o.runs)
    ] = None,
    store: o.Where = None,
    data: o.Data = None,
    yes: Annotated[bool, typer.Option("--yes", help="Compute more than a million points.")] = False,
    as_json: o.Json = False,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="One JSON line for each group that is done, and one at the end.")
    ] = False,
) -> None:
    """Compute a claim's simulation at every point of a grid: one labelled array, and a map of it with show."""
    from ..api.sweep import sweep as carry_out
    from ..lab import Store
    from ..lab.assignments import assignments
    from .judging import use_data

    if identity is None and resume is None:
        raise BadInput(needed="sweep takes the ID of a claim, or --resume RUN", given="neither", cure="See `lazyrich list`.")
    if as_json and json_lines:
        raise BadInput(needed="one of --json and --json-lines", given="both", cure="Leave out one.")
    axes = {name: value if isinstance(value, tuple) else (value,) for name, value in assignments(over or ()).items()}
    use_data(data)
    place, names = Store(store), []
    options: dict[str, Any] = {"changes": assignments(sets or ()), "engine": engine, "yes": yes, "begun": names.append}
    if json_lines:
        options["each"] = print_line
    try:
        with _watched(identity or str(resume)) as progress:
            found = carry_out(identity, axes, size=size, seed=seed, store=place, resume=resume, notify=progress, **options)
    except KeyboardInterrupt:
        if names:
            say(f"interrupted; what is done is kept: lazyrich sweep --resume {names[0]}{_at(store)}")
            raise typer.Exit(130) from None
        raise
    except Exception:
        if names:
            say(f"what is done is kept: lazyrich sweep --resume {names[0]}{_at(store)}")
        raise
    _print(found, as_json=as_json, json_lines=json_lines, store=store)
    raise typer.Exit(4 if found.failed else 0)


def _at(store: str | None) -> str:
    from ..lab.store.facts import masked

    return f" --store {masked(store)}" if store else ""


def _print(found: "Swept", *, as_json: bool, json_lines: bool, store: str | None) -> None:
    for text in found.remarks:
        say(text)
    for point, why in list(found.failures.items())[:5]:
        say(f"failed at {point}: {why}")
    if len(found.failures) > 5:
        say(f"and {len(found.failures) - 5} more points failed; lazyrich show --json has them all")
    if as_json:
        print_json(found.as_json())
    elif json_lines:
        print_line(found.as_json())
    else:
        counts = f"{found.points} points: {found.done} computed, {found.skipped} in the store before, {found.failed} failed"
        show(
            f"{counts}, in {found.seconds:.1f} s",
            f"stored as {found.run} in {found.store}",
            f"draw it:  lazyrich show {found.run}{_at(store)}",
        )


@contextmanager
def _watched(title: str) -> Iterator[Callable[["Progress"], None]]:
    """A bar where somebody looks, a line now and then where nobody does."""
    with watched(f"sweeping {title}") as bar:
        if sys.stderr.isatty():
            yield lambda now: bar(
                f"{now.failed} failed, {now.rate:.3g} a second", now.done + now.failed + now.skipped, now.points
            )
            return
        last = time.monotonic()

        def line(now: "Progress") -> None:
            nonlocal last
            if time.monotonic() - last >= PAUSE:
                last = time.monotonic()
                ready = now.done + now.failed + now.skipped
                left = f"{(now.points - ready) / now.rate:.0f} s left" if now.rate else "compiling"
                say(f"{ready} of {now.points} points, {now.failed} failed, {now.rate:.3g} a second, {left}")

        yield line
