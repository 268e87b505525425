"""Composed experiments: parameters, simulations, and the bench that runs and remembers them."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .bench import Bench
    from .params import Param, Settings
    from .simulation import Simulation

_HOME = {"Bench": "bench", "Param": "params", "Settings": "params", "Simulation": "simulation"}

__all__ = ["Bench", "Param", "Settings", "Simulation"]


def __getattr__(name: str):
    """Import a name on first use: the command line needs the machine's settings before anything heavy."""
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
