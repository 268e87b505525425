"""The page in a browser: a playground, the claims, the runs. Starlette is imported only when it is served."""

from .serving import serve

__all__ = ["serve"]
