"""What dynamics tend to when a time scale goes to infinity: limits, not reductions, and never chosen by themselves."""

from .slow_flow import NuclearSlowFlow, SlowFlow
from .slow_manifold import SlowManifold

ALL = (SlowManifold, SlowFlow, NuclearSlowFlow)

__all__ = ["ALL", "NuclearSlowFlow", "SlowFlow", "SlowManifold"]
