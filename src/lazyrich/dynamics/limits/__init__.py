"""What dynamics tend to when a time scale goes to infinity: limits, not reductions, and never chosen by themselves."""

from .slow_flow import SlowFlow
from .slow_manifold import SlowManifold

ALL = (SlowManifold, SlowFlow)

__all__ = ["ALL", "SlowFlow", "SlowManifold"]
