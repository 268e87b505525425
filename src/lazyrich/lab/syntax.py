"""Syntax trees of Python text, one at a time.

Python 3.11 counts the depth of all trees in one place: two threads that parse at once make each other fail with a
SystemError ("recursion depth mismatch") when the garbage collector lets the one in between the other's nodes.
"""

import ast
import threading

_ONE_AT_A_TIME = threading.Lock()


def program(text: str) -> ast.Module:
    """The syntax tree of a program."""
    with _ONE_AT_A_TIME:
        return ast.parse(text)


def expression(text: str) -> ast.expr:
    """The syntax tree of one expression."""
    with _ONE_AT_A_TIME:
        return ast.parse(text, mode="eval").body
