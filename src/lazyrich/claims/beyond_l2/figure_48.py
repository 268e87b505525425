"""Figure 48: a ReLU student with weight decay fits first and sees the test error fall one over rate x strength later."""

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
        caption="A two-layer ReLU student with weight decay. "
        "The data are fitted at once; the test error falls later, the later the smaller rate x strength.",
    )


CLAIM = Claim(
    kind="figure",
    title="A ReLU student with weight decay generalizes late",
    says="A two-layer ReLU student with weight decay "
    "fits its data in a time that rate alone sets; its test error falls later, in a number of steps inverse to rate x strength.",
    source="beyond_l2, figure 48",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    sizes={size: {"penalty": (1,)} for size in ("smoke", "quick", "paper")},
    least={"rate": 2, "strength": 2},
    control=WITHOUT,
    seconds={"quick": 25, "paper": 550},
)
