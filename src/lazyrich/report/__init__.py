"""Figures from drawings, tables for the terminal, pages. It reads records and computes nothing.

`figures` and `maps` need matplotlib and `tables` needs rich; each is imported when it is first asked for.
"""

import importlib

_PARTS = ("figures", "maps", "tables")


def __getattr__(name: str):
    """Import a part of this module on first use."""
    if name in _PARTS:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
