"""Figure 36: an 8 x 8 digit from few measurements: fitted first, found later."""

from ...lab.settings.signals import DIGIT
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .recovered import curves, slow_signal, two_phases


def refer(problem, level):
    """The slow flow of the same measurements."""
    return slow_signal(problem, level)


def judge(data, told, n, level) -> Evidence:
    """Both phases."""
    return two_phases(data, told, n, level)


def draw(data, told) -> Drawing:
    """Errors, gradients and norm of one draw."""
    return curves(data, told, "The digit zero")


CLAIM = Claim(
    kind="figure",
    title="A digit is fitted first and found later",
    says="Subgradient descent with a small l1 penalty on measurements of an 8 x 8 digit fits them first, with the data's "
    "gradient in the lead; then the l1 norm falls to the digit's, and it is found.",
    source="beyond_l2, figure 36",
    simulation=DIGIT,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "stopped soon after the fit",
        changes={"reach": 0.02},
        breaks=(
            "recovery error at the end over the level, the median draw",
            "time of recovery over the slow flow's, less one, the median draw",
        ),
    ),
    seconds={"quick": 10, "paper": 60},
)
