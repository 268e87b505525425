"""Figure 55: an LSTM on modular addition with a small l2 penalty."""

from ..base import Evidence
from .sequences import lstm, sums


def judge(data, shift) -> Evidence:
    """The fit first, the other sums later, the delay with the inverse of the strength and a weaker power of the rate."""
    return sums(data, shift)


CLAIM = lstm(
    judge,
    2,
    source="beyond_l2, figure 55",
    seconds={"quick": 30, "paper": 150},
)
