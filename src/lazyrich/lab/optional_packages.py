"""Packages of an extra: imported where they are needed, or refused with the line that installs them."""

import importlib.util

from ..errors import BadInput


def install(extra: str) -> str:
    """The command that installs an extra beside an installed lazyrich."""
    return f"pip install 'lazyrich[{extra}]'"


def is_there(package: str) -> bool:
    """Whether a package can be imported, without doing so."""
    try:
        return importlib.util.find_spec(package) is not None
    except ValueError:  # it stands in sys.modules without a place of its own
        return False


def require(extra: str, *packages: str, what: str) -> None:
    """Refuse work that needs missing packages of an extra."""
    if missing := [name for name in packages if not is_there(name)]:
        raise BadInput(
            needed=f"{what} needs {', '.join(packages)}",
            given=f"a Python without {' and '.join(missing)}",
            cure=f"Install the extra {extra}: {install(extra)}.",
        )
