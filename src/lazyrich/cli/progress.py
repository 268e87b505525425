"""A progress bar with the time left, on stderr, for people only."""

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def watched(title: str) -> Iterator[Callable[[str, int, int], None]]:
    """A function of (what, done, total) that moves the bar; it draws nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ..report.formulas import in_unicode

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def update(what: str, done: int, total: int) -> None:
            bar.update(task, description=in_unicode(f"{title}: {what}"), completed=done, total=total)

        yield update
