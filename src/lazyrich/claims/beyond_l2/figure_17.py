r"""Figure 17: errors of projected descent in time, for every sparsity and number of measurements."""

from ...lab.settings.sparse_phases import SWEPT
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .phases import refer
from .sweeps import draw_curves, in_time


def judge(data, told, rate, strength, level, reach, answer) -> Evidence:
    """Least squares once fitted, recovery when the slow flow says, and just where the truth has the least l1 norm."""
    return in_time(data, told, [], rate=rate, strength=strength, level=level, reach=reach, answer=answer)


def draw(data, d) -> Drawing:
    """Errors of one draw in time."""
    return draw_curves(data, d, method="Projected")


CLAIM = Claim(
    kind="figure",
    title="Projected descent: fitted at once, found late",
    says="With projected descent, whatever the sparsity and the number of measurements, the data are fitted by the "
    "least-squares answer, and the truth is found after the slow flow's time if and only if it has the least l1 norm.",
    source="beyond_l2, figure 17",
    simulation=SWEPT["projected"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"answer": "missed"},
    control=Control(
        "least squares in the place of the least l1 norm",
        changes={"answer": "least_squares"},
        breaks=("share of draws whose truth is found if and only if it is the answer of theory",),
    ),
    seconds={"quick": 15, "paper": 240},
)
