"""Syntax trees of Python text, one at a time.

Python 3.11 counts the depth of all trees in one place: two threads that parse at once make each other fail with a
SystemError ("recursion depth mismatch") when the garbage collector lets the one in between the other's nodes.
"""

import ast
import threading
from functools import cache, wraps

_TURN = threading.RLock()


def program(text: str) -> ast.Module:
    """The syntax tree of a program."""
    with _TURN:
        return ast.parse(text)


def expression(text: str) -> ast.expr:
    """The syntax tree of one expression."""
    with _TURN:
        return ast.parse(text, mode="eval").body


@cache
def take_turns() -> None:
    """From here on whoever parses waits for its turn, other packages too.

    While claims are traced in several threads JAX asks `inspect` for signatures, and those of builtins are parsed.
    """
    plain = ast.parse

    @wraps(plain)
    def parse(*words, **options):
        with _TURN:
            return plain(*words, **options)

    ast.parse = parse
