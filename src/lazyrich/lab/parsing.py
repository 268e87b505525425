"""Syntax trees of Python text, one at a time.

Before 3.11.8 and 3.12.2 Python counts the depth of all trees in one place: two threads that parse at once make each other fail
with a SystemError ("recursion depth mismatch") when the garbage collector lets the one in between the other's nodes.
While claims are traced in several threads JAX asks `inspect` for signatures, and those of builtins are parsed.
"""

import ast
import sys
import threading
from functools import cache, wraps

_TURN = threading.RLock()
_ONE_AT_A_TIME = sys.version_info < (3, 11, 8) or (3, 12) <= sys.version_info < (3, 12, 2)


def program(text: str) -> ast.Module:
    """The syntax tree of a program."""
    with _TURN:
        return ast.parse(text)


def expression(text: str) -> ast.expr:
    """The syntax tree of one expression."""
    with _TURN:
        return ast.parse(text, mode="eval").body


def threads_may_trace() -> bool:
    """Whether several threads may trace programs here: never in a user's process of an old Python."""
    return not _ONE_AT_A_TIME or hasattr(ast.parse, "__wrapped__")


@cache
def take_turns() -> None:
    """From here on whoever parses waits for its turn, other packages too: only for processes of our own, if Python needs it."""
    if not _ONE_AT_A_TIME:
        return
    plain = ast.parse

    @wraps(plain)
    def parse(*words, **options):
        with _TURN:
            return plain(*words, **options)

    ast.parse = parse
