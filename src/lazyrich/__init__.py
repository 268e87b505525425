"""A laboratory for implicit bias and grokking.

Everything is imported when it is first named, so that `import lazyrich` costs nothing.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import (
        claims,
        desk,
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
    from .desk import check, check_model, forecast, load
    from .losses import HALF_SUM, MEAN, SUM
    from .objective import Objective
    from .problems import Entries, Split

_NAMES = {
    "check": "desk",
    "check_model": "desk",
    "forecast": "desk",
    "load": "desk",
    "Objective": "objective",
    "Entries": "problems",
    "Split": "problems",
    "SUM": "losses",
    "MEAN": "losses",
    "HALF_SUM": "losses",
}

__all__ = [
    "HALF_SUM",
    "MEAN",
    "SUM",
    "Entries",
    "Objective",
    "Split",
    "check",
    "check_model",
    "claims",
    "desk",
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
    "numerics",
    "predictors",
    "problems",
    "regularizers",
    "report",
]


def __getattr__(name: str):
    """Import a room or a name on first use."""
    if name in _NAMES:
        return getattr(importlib.import_module(f".{_NAMES[name]}", __name__), name)
    if name in __all__:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
