"""Figure 50: a ReLU student with known derivatives fits first and sees the test error fall one over rate x strength later."""

from ...lab.settings.teacher_student import SIMULATION
from ..base import Claim, Evidence
from ..drawing import Drawing
from .student import WITHOUT, curves, delays, fell, instrument, inverse, late, unmoved


def judge(data, rate, strength, method) -> Evidence:
    """When the data are fitted and when the test error falls, as rate and strength change."""
    return Evidence(
        sound=instrument(data, method),
        holds=[fell(data), late(data), unmoved(data, rate), inverse(data, rate, strength)],
    )


def draw(data, rate, strength) -> Drawing:
    """Errors of one draw, and the delays of the median draw."""
    return Drawing(
        [*curves(data, rate, strength, 0), delays(data, rate, strength, 0)],
        columns=3,
        caption="A two-layer ReLU student whose derivatives at the samples are drawn to the teacher's. "
        "The data are fitted at once; the test error falls later, the later the smaller rate x strength.",
    )


CLAIM = Claim(
    kind="figure",
    title="Known derivatives lower the test error late",
    says="A two-layer ReLU student whose derivatives at the samples are drawn to the teacher's "
    "fits its data in a time that rate alone sets; its test error falls later, in a number of steps inverse to rate x strength.",
    source="beyond_l2, figure 50",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    # Six times the usual strength, which the other penalties bear, holds the fit up by half of its time and more.
    sizes={"smoke": {"penalty": (3,)}, "quick": {"penalty": (3,)}, "paper": {"penalty": (3,), "strength": (1.5, 3.0)}},
    least={"rate": 2, "strength": 2},
    control=WITHOUT,
    seconds={"quick": 25, "paper": 700},
)
