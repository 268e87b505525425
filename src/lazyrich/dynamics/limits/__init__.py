"""What dynamics tend to when a time scale goes to infinity: limits, not reductions, and never chosen by themselves."""

from .slow_flow import SlowFlow

__all__ = ["SlowFlow"]
