"""How experiments run and are kept: parameters, simulations, the runner, sweeps, the store that keeps them."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .params import Param, Params
    from .runner import Runner
    from .simulation import Simulation
    from .store.store import Store
    from .sweeps.sweep import sweep

_HOME = {
    "Runner": "runner",
    "Param": "params",
    "Params": "params",
    "Simulation": "simulation",
    "Store": "store.store",
    "sweep": "sweeps.sweep",
}

__all__ = ["Param", "Params", "Runner", "Simulation", "Store", "sweep"]


def __getattr__(name: str):
    """Import a name on first use: the command line needs the machine's settings before anything heavy."""
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
