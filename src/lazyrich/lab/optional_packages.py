"""Packages of an extra: imported where they are needed, or refused with the line that installs them."""

import importlib

from ..errors import BadInput


def install(extra: str) -> str:
    """The command that installs an extra, in a checkout."""
    return f"pip install -e '.[{extra}]', in the checkout of lazyrich"


def require_cluster(package: str, what: str) -> None:
    """Refuse work that needs a missing package of the cluster extra."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        raise BadInput(
            needed=f"{what} needs the cluster extra",
            given=f"a Python without {error.name}",
            cure=f"Install it: {install('cluster')}.",
        ) from error
