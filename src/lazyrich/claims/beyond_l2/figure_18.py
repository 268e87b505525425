r"""Figure 18: steps in which projected descent fits the data, and the error that it ends with, for every $(s, N)$."""

from ...lab.settings.sparse_phases import SWEPT
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .phases import enough, judged, refer
from .sweeps import at_once, at_rest, draw_fit


def judge(data, told, strength, level, reach, answer) -> Evidence:
    """Steps to fit, and the last error beside that of the least l1 norm."""
    good = judged(told, strength=strength, level=level, reach=reach) & (data.share < 1)
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_once(data),
            at_rest(data, told, strength=strength, level=level, reach=reach, answer=answer),
        ],
    )


def draw(data, told, rate, strength, d) -> Drawing:
    """Steps and errors against the number of measurements."""
    return draw_fit(data, told, rate, strength, d, method="Projected")


CLAIM = Claim(
    kind="figure",
    title="Projected descent: one step to fit, and what is left",
    says="With projected descent the data are fitted with the first step, and the recovery error at the end is that of the "
    "interpolant of least l1 norm: none with enough measurements, large with too few.",
    source="beyond_l2, figure 18",
    simulation=SWEPT["projected"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"answer": "missed"},
    control=Control(
        "least squares as the end",
        changes={"answer": "least_squares"},
        breaks=("recovery error at the end less that of theory's answer, the farthest of runs that are at rest",),
    ),
    seconds={"quick": 15, "paper": 240},
)
