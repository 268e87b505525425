"""Figure 53: an MLP on modular addition with a small nuclear penalty."""

from ...lab.settings.modular_penalties import MLP
from ..base import Evidence
from .delays import figure, judged


def judge(data, shift) -> Evidence:
    """The fit first, the other sums later, the delay with the inverse of rate x strength."""
    return judged(data, shift=shift)


CLAIM = figure(
    judge,
    MLP,
    3,
    net="An MLP on modular addition",
    source="beyond_l2, figure 53",
    sizes={
        "quick": {"strength": (5e-3, 1e-2), "reach": 13.0},
        "paper": {"rate": (1.0, 2.0), "strength": (4e-3, 8e-3), "reach": 25.0},
    },
    seconds={"quick": 18, "paper": 290},
)
