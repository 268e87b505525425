"""Figure 52: an MLP on modular addition with a small l2 penalty."""

from ...lab.settings.modular_penalties import MLP
from ..base import Evidence
from .delays import figure, judged


def judge(data, shift) -> Evidence:
    """The fit first, the other sums later, the delay with the inverse of rate x strength."""
    return judged(data, shift=shift)


CLAIM = figure(
    judge,
    MLP,
    2,
    net="An MLP on modular addition",
    source="beyond_l2, figure 52",
    seconds={"quick": 12, "paper": 90},
)
