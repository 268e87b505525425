"""Figure 56: an LSTM on modular addition with a small nuclear penalty."""

from ..base import Evidence
from .sequences import lstm, sums


def judge(data, shift) -> Evidence:
    """The fit first, the other sums later, the delay with the inverse of the strength and a weaker power of the rate."""
    return sums(data, shift)


CLAIM = lstm(
    judge,
    3,
    source="beyond_l2, figure 56",
    sizes={
        "quick": {"rate": (4e-3, 1.2e-2), "strength": (1.5, 4.5), "reach": 24.0, "trials": 6},
        "paper": {"strength": (4.0, 8.0), "reach": 50.0},
    },
    seconds={"quick": 35, "paper": 1_000},
)
