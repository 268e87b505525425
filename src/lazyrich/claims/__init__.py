"""Statements of the papers that can be checked, each with a control on which the check must say "fails"."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Claim, Control, Evidence, Reading
    from .drawing import Drawing
    from .judge import Result, check
    from .registry import every, find

_HOME = {
    "Claim": "base",
    "Control": "base",
    "Evidence": "base",
    "Reading": "base",
    "Drawing": "drawing",
    "Result": "judge",
    "check": "judge",
    "every": "registry",
    "find": "registry",
}

__all__ = ["Claim", "Control", "Drawing", "Evidence", "Reading", "Result", "check", "every", "find"]


def __getattr__(name: str):
    """Import a name on first use: to list claims takes none of what judges them."""
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
