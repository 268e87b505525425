"""Packages that come with an extra: asked for where they are needed, with the line that installs them."""

import importlib

from ..errors import BadInput


def require_cluster(package: str, what: str) -> None:
    """Refuse what cannot be done without a package of the cluster extra."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        raise BadInput(
            needed=f"{what} needs the cluster extra",
            given=f"a Python without {error.name}",
            cure='pip install "lazyrich[cluster]"',
        ) from error
