"""A ReLU net on handwritten digits with a small nuclear penalty: no figure, similar to figure 57."""

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
    3,
    kind="statement",
    net="A ReLU net on digits",
    source="beyond_l2, section E.4",
    sizes={"quick": {"strength": (1e-2, 2e-2), "reach": 5.0}, "paper": {"strength": (1e-2, 2e-2), "reach": 8.0}},
    seconds={"quick": 18, "paper": 280},
    **MORE,
)
