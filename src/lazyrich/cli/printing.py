"""Output on stdout and stderr; a reader that closes the pipe is no error."""

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from typing import Any


def accept_any_encoding() -> None:
    """Print signs that the terminal's encoding does not have as question marks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def say(text: str) -> None:
    """A message for people, on stderr."""
    from ..report.formulas import in_unicode

    print(f"lazyrich: {in_unicode(text)}", file=sys.stderr)


def show(*parts: Any) -> None:
    """Tables and texts for people, on stdout."""
    from rich.console import Console

    with _patient():
        for part in parts:
            Console(soft_wrap=isinstance(part, str)).print(part, highlight=False, markup=False)


def print_json(document: Any) -> None:
    """One JSON document on stdout."""
    with _patient():
        print(json.dumps(document, indent=1, allow_nan=False))


def print_line(document: Any) -> None:
    """One JSON document on one line of stdout, at once."""
    with _patient():
        print(json.dumps(document, allow_nan=False), flush=True)


@contextlib.contextmanager
def _patient() -> Iterator[None]:
    """Write until nobody reads any more; what the command has done and its exit code stay as they are."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
