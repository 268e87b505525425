r"""Figure 24: the error that proximal descent ends with over sparsity and measurements is that of the least l1 norm."""

from ...lab.settings.sparse_phases import SWEPT
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .memorization import stable
from .phases import refer
from .sweeps import at_the_end, draw_map


def judge(data, told, rate, strength, level, reach, answer) -> Evidence:
    """Which truths are found, the errors at rest, and how the region depends on the sparsity."""
    return at_the_end(data, told, [stable(data, rate)], strength=strength, level=level, reach=reach, answer=answer)


def draw(data, told, d) -> Drawing:
    """Two maps of errors."""
    return draw_map(data, told, d, method="Proximal")


CLAIM = Claim(
    kind="figure",
    title="Proximal descent: which truths are found",
    says="Over sparsity and number of measurements proximal descent finds the truths that have the least l1 norm, and ends "
    "with the errors of that norm elsewhere; the number of measurements needed grows with the sparsity.",
    source="beyond_l2, figure 24 (caption lost; by the text around it)",
    simulation=SWEPT["proximal"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"answer": "missed"},
    least={"sparsity": 2},
    control=Control(
        "least squares in the place of the least l1 norm",
        changes={"answer": "least_squares"},
        breaks=(
            "share of draws whose truth is found if and only if it is the answer of theory",
            "recovery error at the end less that of theory's answer, the farthest of runs that are at rest",
        ),
    ),
    seconds={"quick": 12, "paper": 110},
)
