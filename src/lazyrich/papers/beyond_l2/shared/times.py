"""Readings of memorization and recovery times that several claims share."""

from ....claims.base import Reading, at_most

BIAS = "the penalty's bias over the level, where the error falls steeply, and step size"


def on_time(ratio, tolerance: int | float, why: str = BIAS) -> Reading:
    """Recovery times over those of the slow flow."""
    name = "recovery time relative to the slow flow's, minus one, median"
    return at_most(name, abs(ratio - 1).median(), tolerance, key="recovery_time", why=why)


def memorized_first(ratio, target: int | float, over: str = "median", *, key: str = "delay") -> Reading:
    """The memorization time over the recovery time, already reduced over trials."""
    why = r"memorization takes a few multiples of $1/\alpha\sigma$, recovery one of $1/\alpha\beta_1$"
    return at_most(f"memorization time over recovery time, {over}", ratio, target, key=key, why=why)
