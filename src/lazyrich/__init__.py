"""A laboratory for implicit bias and grokking.

Everything is imported when it is first named, so that `import lazyrich` costs nothing.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import version

    from . import (
        api,
        claims,
        dynamics,
        errors,
        events,
        inits,
        lab,
        losses,
        measures,
        models,
        numerics,
        predictors,
        problems,
        regularizers,
        report,
    )
    from .api.check import check, check_model, load
    from .api.sweep import sweep
    from .claims.base import Claim, Control, Evidence, at_least, at_most, near
    from .claims.drawing import Drawing
    from .claims.paper import Paper
    from .forecast.forecast import forecast
    from .lab import Param, Simulation
    from .objective import Objective
    from .problems import Entries, Split

    __version__ = version("lazyrich")

_NAMES = {
    "check": "api.check",
    "check_model": "api.check",
    "load": "api.check",
    "sweep": "api.sweep",
    "Claim": "claims.base",
    "Control": "claims.base",
    "Evidence": "claims.base",
    "at_least": "claims.base",
    "at_most": "claims.base",
    "near": "claims.base",
    "Drawing": "claims.drawing",
    "Paper": "claims.paper",
    "Param": "lab.params",
    "Simulation": "lab.simulation",
    "Objective": "objective",
    "Entries": "problems",
    "Split": "problems",
}

__all__ = [
    "Claim",
    "Control",
    "Drawing",
    "Entries",
    "Evidence",
    "Objective",
    "Paper",
    "Param",
    "Simulation",
    "Split",
    "__version__",
    "api",
    "at_least",
    "at_most",
    "check",
    "check_model",
    "claims",
    "dynamics",
    "errors",
    "events",
    "forecast",
    "inits",
    "lab",
    "load",
    "losses",
    "measures",
    "models",
    "near",
    "numerics",
    "predictors",
    "problems",
    "regularizers",
    "report",
    "sweep",
]


def __getattr__(name: str):
    """Import a module or a name on first use."""
    if name in _NAMES:
        return getattr(importlib.import_module(f".{_NAMES[name]}", __name__), name)
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("lazyrich")
    if name in __all__:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
