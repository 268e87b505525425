"""Figure 54: an LSTM on modular addition with a small l1 penalty."""

from ..base import Evidence
from .sequences import lstm, sums


def judge(data, shift) -> Evidence:
    """The fit first, the other sums later, the delay with the inverse of the strength and a weaker power of the rate."""
    return sums(data, shift)


CLAIM = lstm(
    judge,
    1,
    source="beyond_l2, figure 54",
    sizes={"quick": {"strength": (0.2, 0.4), "reach": 2.0}, "paper": {"strength": (0.2, 0.4), "reach": 4.0}},
    seconds={"quick": 30, "paper": 1_500},
)
