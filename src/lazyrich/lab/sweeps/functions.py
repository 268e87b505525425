"""A user's own function as a simulation, so that it can be swept like one of ours."""

import hashlib
import inspect
import pathlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...errors import BadInput
from ..params import Param
from ..simulation import Simulation


class Named:
    """A function whose answer always has names: a plain number or array is called `value`."""

    def __init__(self, function: Callable, names: Iterable[str], bound: Mapping[str, Any]):
        """The function of these names, with what is not a number bound to it."""
        self.function, self.bound = function, dict(bound)
        self.__name__ = self.__qualname__ = getattr(function, "__qualname__", type(function).__name__)
        kind = inspect.Parameter.KEYWORD_ONLY
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])

    def __call__(self, **values: Any) -> dict[str, Any]:
        """Its answer by names."""
        found = self.function(**values, **self.bound)
        return dict(found) if isinstance(found, Mapping) else {"value": found}


def simulation_of(
    function: Callable,
    over: Mapping[str, Any],
    fixed: Mapping[str, Any],
    *,
    static: Iterable[str] = (),
    returns: Mapping[str, str] | None = None,
    host: bool = False,
) -> Simulation:
    """The function as a simulation; one that takes a `key` is random and has trials."""
    open_ended = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    known = {name: one for name, one in inspect.signature(function).parameters.items() if one.kind not in open_ended}
    random = known.pop("key", None) is not None
    given = {name: value for name, value in {**fixed, **over}.items() if name != "trials" or not random}
    unknown = [name for name in given if name not in known]
    missing = [name for name, param in known.items() if name not in given and param.default is param.empty]
    if unknown or missing:
        raise BadInput(
            needed=f"{getattr(function, '__name__', 'the function')} takes {', '.join(known) or 'nothing'}",
            given=f"{', '.join(unknown)} too" if unknown else f"no {', '.join(missing)}",
            cure="Give in over or fixed each of its arguments that has no default.",
        )
    bound = {name: value for name, value in fixed.items() if name in known and not _is_number(value)}
    params = [
        Param(name, _usual(value), static=name in set(static)) for name, value in given.items() if name not in bound
    ]
    names = [*(["key"] if random else []), *(param.name for param in params)]
    return Simulation(Named(function, names, bound), params, returns or {}, random=random, host=host)


def identity(simulation: Simulation) -> list[str] | None:
    """What code a simulation is made of: names, and for code outside the package a digest of its file; None if nobody can tell.

    A function that closes over something, holds objects or was typed into a session may change without its file changing.
    """
    found = []
    for function in (simulation.run, simulation.pose):
        if isinstance(function, Named):
            if not all(isinstance(value, str | bool | None) for value in function.bound.values()):
                return None
            found += [f"{name}={value!r}" for name, value in sorted(function.bound.items())]
            function = function.function
        if function is not None:
            name = _name(function)
            if name is None:
                return None
            found.append(name)
    return found


def _name(function: Callable) -> str | None:
    """Where a function is written, if that is all there is to it."""
    module = sys.modules.get(getattr(function, "__module__", ""))
    file, qualified = getattr(module, "__file__", None), getattr(function, "__qualname__", "<locals>")
    if module is None or file is None or "<locals>" in qualified:
        return None
    if module.__name__.split(".")[0] == "lazyrich":  # whose source is noted as a whole
        return f"{module.__name__}.{qualified}"
    if getattr(function, "__closure__", None):
        return None
    return f"{module.__name__}.{qualified} {hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()[:16]}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _usual(value: Any) -> Any:
    """A number in its own type, to tell whole numbers from others."""
    each = [one.item() if isinstance(one, np.generic) else one for one in (value if np.ndim(value) else (value,))]
    whole = all(isinstance(one, int) for one in each)
    return each[0] if whole else float(each[0])
