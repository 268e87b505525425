"""Figure 41: a sparse polynomial from few values: fitted first, found later."""

from ...lab.settings.signals import POLYNOMIAL
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
    return curves(data, told, "A quadratic polynomial with few monomials")


CLAIM = Claim(
    kind="figure",
    title="A polynomial is fitted first and found later",
    says="Subgradient descent with a small l1 penalty on values of a sparse quadratic polynomial fits them first, with the "
    "data's gradient in the lead; then the l1 norm falls to that of the polynomial's coefficients, and they are found.",
    source="beyond_l2, figure 41",
    simulation=POLYNOMIAL,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "stopped soon after the fit",
        changes={"reach": 0.05},
        breaks=(
            "recovery error at the end over the level, the median draw",
            "time of recovery over the slow flow's, less one, the median draw",
        ),
    ),
    seconds={"quick": 10, "paper": 60},
)
