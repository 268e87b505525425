"""Limits of flows, not reductions: each is right up to the size of something small, and none is chosen by "auto"."""

from .slow_manifold import SlowManifold

ALL = (SlowManifold,)

__all__ = ["ALL", "SlowManifold"]
