"""Values and functions as plain data: a function is where it is defined, and what is fixed in it."""

import functools
import inspect
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any


def describe(value: Any) -> Any:
    """Plain data that says what a value is: equal data, equal numbers, as far as the source behind its functions is equal."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): describe(part) for name, part in sorted(value.items(), key=lambda item: str(item[0]))}
    if isinstance(value, functools.partial):
        return {"partial": describe(value.func), "with": describe([*value.args]), "fixed": describe(value.keywords)}
    if isinstance(value, Sequence | set | frozenset):
        return [describe(part) for part in (value if isinstance(value, Sequence) else sorted(value))]
    if isinstance(value, type):
        return {"module": value.__module__, "name": value.__qualname__}
    if callable(value) and (plain := inspect.unwrap(value)) is not value:
        return describe(plain)
    if inspect.isfunction(value):
        return _function(value)
    return value.tolist() if hasattr(value, "tolist") else repr(value)


def _function(function: Any) -> dict[str, Any]:
    code = function.__code__
    found: dict[str, Any] = {"module": function.__module__, "line": code.co_firstlineno}
    if function.__closure__:
        cells = zip(code.co_freevars, function.__closure__, strict=True)
        found["closure"] = {name: describe(cell.cell_contents) for name, cell in cells if cell.cell_contents is not function}
    return found


def text_of(module: str, line: int) -> str | None:
    """The source of a function that is in no package of ours; None where nobody has it, as in a plain interpreter."""
    import sys

    held = sys.modules.get(module)
    for value in vars(held).values() if held else ():
        if inspect.isfunction(value) and value.__module__ == module and value.__code__.co_firstlineno == line:
            try:
                return textwrap.dedent(inspect.getsource(value))
            except (OSError, TypeError):
                return None
    return None
