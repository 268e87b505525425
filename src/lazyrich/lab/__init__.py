"""Composed experiments: parameters, simulations, and the bench that runs and remembers them."""

from .bench import Bench
from .params import Param, Settings
from .simulation import Simulation

__all__ = ["Bench", "Param", "Settings", "Simulation"]
