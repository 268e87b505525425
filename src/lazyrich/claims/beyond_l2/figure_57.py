"""Figure 57: a ReLU net on handwritten digits with a small l1 penalty."""

from ...lab.settings.mnist_penalties import SIMULATION
from ..base import Evidence
from .delays import figure
from .digits import MORE, images


def judge(data, shift) -> Evidence:
    """The fit first, the other digits later, the delay with the inverse of the rate and a weaker power of the strength."""
    return images(data, shift)


CLAIM = figure(
    judge,
    SIMULATION,
    1,
    net="A ReLU net on digits",
    source="beyond_l2, figure 57",
    sizes={"quick": {"strength": (1e-3, 2e-3), "reach": 0.8}, "paper": {"strength": (5e-4, 1e-3), "reach": 1.0}},
    seconds={"quick": 15, "paper": 120},
    **MORE,
)
