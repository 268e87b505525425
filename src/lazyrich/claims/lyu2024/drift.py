"""What label noise and 1-SAM share: the drift must end at the truth."""

from ..base import Reading, at_most


def recovers(told) -> Reading:
    """Whether theory itself promises recovery on these data."""
    return at_most(
        "population loss of the drift's end, over that of zero",
        told["late_loss"].max(),
        1e-3,
        why="with fewer samples theory itself promises no recovery",
    )
