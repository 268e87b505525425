"""The pages of the API: one for each module, its public names in the order that it lists them."""

import importlib
import inspect
import pkgutil
from types import ModuleType

# What is simulated, what is predicted, and what stands above both.
MODULES = (
    "problems losses regularizers models inits objective dynamics measures events predictors numerics "
    "lab claims forecast report api errors"
).split()


def pages() -> dict[str, str]:
    """Each page by its path."""
    found = {f"api/{name}.md": _page(name) for name in MODULES}
    rows = [f"| [{name}]({name}.md) | {_first_line(_module(name))} |" for name in MODULES]
    intro = (
        "`import lazyrich as lz` gives all modules below, each when it is first named; of `objective` it gives `lz.Objective`."
    )
    found["api/index.md"] = "\n".join(["# API", "", intro, "", "| module | contents |", "| --- | --- |", *rows, ""])
    return found


def _page(name: str) -> str:
    module = _module(name)
    lines = [f"# {name}", "", (inspect.getdoc(module) or "").strip(), ""]
    for name in _names(module):
        lines += [f"::: {module.__name__}.{name}", ""]
    return "\n".join(lines)


def _names(module: ModuleType) -> list[str]:
    """The public classes and functions of a module, or its submodules where it names none; tuples need no page."""
    listed = getattr(module, "__all__", None)
    if listed is None and hasattr(module, "__path__"):
        return [one.name for one in pkgutil.iter_modules(module.__path__)]
    if listed is None:
        listed = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    kinds = (inspect.isclass, inspect.isroutine, inspect.ismodule)
    return [name for name in listed if not name.startswith("_") and any(is_a(getattr(module, name)) for is_a in kinds)]


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"lazyrich.{name}")


def _first_line(module: ModuleType) -> str:
    return (inspect.getdoc(module) or "").strip().splitlines()[0]
