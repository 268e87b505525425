r"""Figure 22: steps in which proximal descent fits the data, and the error that it ends with, for every $(s, N)$."""

from ...lab.settings.sparse_phases import SWEPT
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .memorization import stable
from .phases import enough, judged, refer
from .sweeps import at_rest, draw_fit, within_bound


def judge(data, told, rate, strength, level, reach, d, answer) -> Evidence:
    """Steps to fit, and the last error beside that of the least l1 norm."""
    good = judged(told, strength=strength, level=level, reach=reach) & (data.share < 1)
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            *within_bound(data, rate=rate, strength=strength, d=d),
            at_rest(data, told, strength=strength, level=level, reach=reach, answer=answer),
        ],
    )


def draw(data, told, rate, strength, d) -> Drawing:
    """Steps and errors against the number of measurements."""
    return draw_fit(data, told, rate, strength, d, method="Proximal")


CLAIM = Claim(
    kind="figure",
    title="Proximal descent: steps to fit, and what is left",
    says="With proximal descent the data are fitted within theorem C.8's steps (along measured directions), and the recovery "
    "error at the end is that of the interpolant of least l1 norm: none with enough measurements, large with too few.",
    source="beyond_l2, figure 22",
    simulation=SWEPT["proximal"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"answer": "missed"},
    control=Control(
        "least squares as the end",
        changes={"answer": "least_squares"},
        breaks=("recovery error at the end less that of theory's answer, the farthest of runs that are at rest",),
    ),
    seconds={"quick": 12, "paper": 110},
)
