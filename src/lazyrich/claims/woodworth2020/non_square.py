"""Footnote 4: matrices need not be square."""

from ...lab.settings.matrix_completion import SIMULATION
from ..base import Claim, Control, Evidence
from .figure_5_right import draw
from .figure_5_right import judge as of_any_shape

SHAPE = {"d": 6, "cols": 16, "n": 60}


def judge(data, n, d, cols, power) -> Evidence:
    """The readings of the square case."""
    return of_any_shape(data, n, d, cols, power)


CLAIM = Claim(
    kind="statement",
    title="The transition does not need square matrices",
    says="Completing a rank-one 6 x 16 matrix from 60 entries, unseen entries go to the truth for alpha^2 k << 1 "
    "and stay where they "
    "started for alpha^2 k >> 1 and k >> d, with the edge at one value of alpha^2 k, as in the square case.",
    source="woodworth2020, section 6, footnote 4",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": -0.5},
    sizes={"quick": SHAPE, "smoke": SHAPE, "paper": SHAPE},
    least={"alpha": 2, "width": 2},
    control=Control(
        "the scale of the predictor, alpha^2 sqrt(k), in place of that of the lifted matrix",
        changes={"power": -0.25},
        breaks=("exponent of the edge in alpha against the width, a third of the way, k >= 100",),
    ),
    seconds={"quick": 12, "paper": 20},
)
