"""The pages of the API: one for each room, its public names in the order that the room lists them."""

import importlib
import inspect
import pkgutil
from types import ModuleType

# What is simulated, what is predicted, and what stands above both.
ROOMS = (
    "problems losses regularizers models inits objective dynamics measures events predictors numerics "
    "lab claims report desk errors"
).split()


def pages() -> dict[str, str]:
    """Each page by its path."""
    found = {f"api/{room}.md": _page(room) for room in ROOMS}
    rows = [f"| [{room}]({room}.md) | {_first_line(_module(room))} |" for room in ROOMS]
    said = (
        "Each word of the house is a room of `src/lazyrich`. `import lazyrich as lz` gives all of them, "
        "and loads a room when it is named."
    )
    found["api/index.md"] = "\n".join(
        ["# The rooms", "", said, "", "| room | what is in it |", "| --- | --- |", *rows, ""]
    )
    return found


def _page(room: str) -> str:
    module = _module(room)
    lines = [f"# {room}", "", (inspect.getdoc(module) or "").strip(), ""]
    for name in _names(module):
        lines += [f"::: {module.__name__}.{name}", ""]
    return "\n".join(lines)


def _names(module: ModuleType) -> list[str]:
    """The classes and functions a room makes public, or its modules where it names none; tuples need no page."""
    listed = getattr(module, "__all__", None)
    if listed is None and hasattr(module, "__path__"):
        return [one.name for one in pkgutil.iter_modules(module.__path__)]
    if listed is None:
        listed = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    kinds = (inspect.isclass, inspect.isroutine, inspect.ismodule)
    return [name for name in listed if not name.startswith("_") and any(is_a(getattr(module, name)) for is_a in kinds)]


def _module(room: str) -> ModuleType:
    return importlib.import_module(f"lazyrich.{room}")


def _first_line(module: ModuleType) -> str:
    return (inspect.getdoc(module) or "").strip().splitlines()[0]
