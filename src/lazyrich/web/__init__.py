"""The web page: a playground, the claims, the runs. Starlette is imported only when the page is served."""

from .serving import serve

__all__ = ["serve"]
