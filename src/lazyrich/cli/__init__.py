"""The command line: a front door without numerics."""

from .app import main

__all__ = ["main"]
