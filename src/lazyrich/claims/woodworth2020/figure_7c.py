"""Figure 7c: curves from starts of different scale, second layer five times as large."""

from ...lab.settings.relu_line import SIMULATION, refer
from ..base import Claim, Control
from .curves import draw
from .curves import judge as of_curves


def judge(data, told, level, rich, lazy):
    """Straight lines from the small start, the kernel's curve from the large one, and the two apart."""
    return of_curves(data, told, level, rich, lazy)


CLAIM = Claim(
    kind="figure",
    title="From linear to kernel splines: second layer heavier",
    says="A wide two-layer ReLU net of one variable, with its second layer five times as large and its first a fifth, "
    "learns the linear spline through its data from a small start (alpha = 0.03 here) and the interpolant of its start's tangent "
    "kernel from a large one.",
    source="woodworth2020, figure 7c",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    sizes={size: {"ratio": (0.2,)} for size in ("quick", "paper", "smoke")},
    constants={"rich": 0.03, "lazy": 100.0},
    control=Control(
        "the large start taken for the small one",
        changes={"rich": 100.0},
        breaks=("from connect-the-dots, small start",),
    ),
    least={"alpha": 2},
    seconds={"quick": 20, "paper": 3000},
)
