"""What a training will do, computed before it; the named experiments.

The module is called like the function it is named after: `lz.forecast(objective, init, test=...)`.
"""

import sys
from types import ModuleType
from typing import Any


class _CallableModule(ModuleType):
    """A module that can be called: module and function share a name."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """`forecast.forecast`, in double precision."""
        from ..lab.machine import prepare
        from .forecast import forecast

        prepare()
        return forecast(*args, **options)


sys.modules[__name__].__class__ = _CallableModule
