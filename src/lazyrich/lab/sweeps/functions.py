"""A user's own function as a simulation, so that it can be swept like one of ours."""

import ast
import hashlib
import importlib.util
import inspect
import pathlib
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...errors import BadInput
from ..params import Param
from ..simulation import Simulation


class Named:
    """A function that always returns arrays by name: a plain number or array is called `value`."""

    def __init__(self, function: Callable, names: Iterable[str], bound: Mapping[str, Any]):
        """The function of these names, with what is not a number bound to it."""
        self.function, self.bound = function, dict(bound)
        self.__name__ = self.__qualname__ = getattr(function, "__qualname__", type(function).__name__)
        kind = inspect.Parameter.KEYWORD_ONLY
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])

    def __call__(self, **values: Any) -> dict[str, Any]:
        """What it returns, by name."""
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
    params = [Param(name, _usual(value), static=name in set(static)) for name, value in given.items() if name not in bound]
    names = [*(["key"] if random else []), *(param.name for param in params)]
    return Simulation(Named(function, names, bound), params, returns or {}, random=random, host=host)


def identity(simulation: Simulation) -> list[str] | None:
    """What code a simulation is made of: names, and for code outside the package a digest of its file; None if nobody can tell.

    Only a plain function of a module is known by its file: one that closes over something, a lambda, a method or one that was
    typed into a session may change without its file changing.
    """
    found = []
    for function in (simulation.simulate, simulation.make_problem):
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
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    file, qualified = getattr(module, "__file__", None), getattr(function, "__qualname__", "<")
    # Lambdas share a name; a method is more than its own.
    if module is None or file is None or "<" in qualified or hasattr(function, "__self__"):
        return None
    if module.__name__.split(".")[0] == "lazyrich":  # whose source is noted as a whole
        return f"{module.__name__}.{qualified}"
    plain = inspect.isfunction(function) and function.__closure__ is None
    if not plain or vars(module).get(qualified) is not function:
        return None
    files = written_in(pathlib.Path(file))
    if files is None:
        return None
    text = b"".join(path.read_bytes() for path in sorted(files))
    return f"{module.__name__}.{qualified} {hashlib.sha256(text).hexdigest()[:16]}"


def written_in(file: pathlib.Path, known: frozenset[pathlib.Path] = frozenset()) -> frozenset[pathlib.Path] | None:
    """A file and those beside it that it imports, and so on; None if it imports what cannot be followed, such as a folder.

    What is installed or comes with Python is not followed.
    """
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError, ValueError):
        return None
    if any(isinstance(node, ast.ImportFrom) and node.level for node in nodes):
        return None
    asked = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    asked |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    found: frozenset[pathlib.Path] | None = known | {file}
    for name in sorted({one.split(".")[0] for one in asked}):
        origin = _origin(name)
        if origin is None or origin in (found or ()):
            continue
        found = written_in(origin, found or frozenset()) if origin.name != "__init__.py" else None
        if found is None:
            return None
    return found


def _origin(name: str) -> pathlib.Path | None:
    """The file that a name is imported from; None for what is installed, comes with Python or is not there."""
    if name in (*sys.stdlib_module_names, "lazyrich", "__main__"):
        return None
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return pathlib.Path("__init__.py")  # nobody can tell
    if spec is None:
        return None
    if spec.origin is None:  # a folder without a file of its own
        return pathlib.Path("__init__.py")
    origin = pathlib.Path(spec.origin)
    installed = (pathlib.Path(path) for path in sysconfig.get_paths().values())
    return None if any(origin.is_relative_to(place) for place in installed) else origin


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _usual(value: Any) -> Any:
    """A number in its own type, to tell whole numbers from others."""
    each = [one.item() if isinstance(one, np.generic) else one for one in (value if np.ndim(value) else (value,))]
    whole = all(isinstance(one, int) for one in each)
    # What is no number, or nothing at all, is refused with the grid.
    first = next((one for one in each if _is_number(one)), 0)
    return first if whole else float(first)
