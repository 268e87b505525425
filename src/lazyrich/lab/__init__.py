"""Composed experiments: parameters, simulations, the bench that runs them, sweeps, the store that keeps them."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .bench import Bench
    from .params import Param, Settings
    from .simulation import Simulation
    from .store import Store
    from .sweeps.sweep import sweep

_HOME = {
    "Bench": "bench",
    "Param": "params",
    "Settings": "params",
    "Simulation": "simulation",
    "Store": "store",
    "sweep": "sweeps.sweep",
}

__all__ = ["Bench", "Param", "Settings", "Simulation", "Store", "sweep"]


def __getattr__(name: str):
    """Import a name on first use: the command line needs the machine's settings before anything heavy."""
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
