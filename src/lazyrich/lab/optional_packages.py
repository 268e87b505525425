"""Packages that come with an extra: asked for where they are needed, with the line that installs them."""

import importlib

from ..errors import BadInput


def install(extra: str) -> str:
    """What installs an extra: lazyrich is worked with in its checkout."""
    return f"pip install -e '.[{extra}]', in the checkout of lazyrich"


def require_cluster(package: str, what: str) -> None:
    """Refuse what cannot be done without a package of the cluster extra."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        raise BadInput(
            needed=f"{what} needs the cluster extra",
            given=f"a Python without {error.name}",
            cure=f"Install it: {install('cluster')}.",
        ) from error
