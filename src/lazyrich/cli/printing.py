"""What goes to stdout, and to stderr: a reader who has had enough is no fault of ours."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from typing import Any


def say(text: str) -> None:
    """A remark for people, on stderr."""
    print(f"lazyrich: {text}", file=sys.stderr)


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
