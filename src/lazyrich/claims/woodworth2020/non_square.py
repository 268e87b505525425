"""Footnote 4: matrices need not be square."""

from ...lab.settings.matrix_completion import SIMULATION
from ..base import Claim, Control
from .figure_5_left import draw
from .figure_5_left import judge as square


def judge(data, power):
    """The readings of the square case."""
    return square(data, power)


CLAIM = Claim(
    kind="statement",
    title="The transition does not need square matrices",
    says="Completing a rank-one 6 x 16 matrix, the excess nuclear norm is near zero for alpha^2 k << 1 and large "
    "above, with the edge "
    "at one value of alpha^2 k, as in the square case.",
    source="woodworth2020, section 6, footnote 4",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": -0.5},
    sizes={
        "quick": {"d": 6, "cols": 16, "n": 60},
        "smoke": {"d": 6, "cols": 16, "n": 60},
        "paper": {"d": 6, "cols": 16, "n": 60},
    },
    least={"alpha": 2, "width": 2},
    control=Control(
        "the scale of the predictor, alpha^2 sqrt(k), in place of that of the lifted matrix",
        changes={"power": -0.25},
        breaks=("exponent of the edge in alpha against the width, k >= 100",),
    ),
    seconds={"quick": 12, "paper": 20},
)
