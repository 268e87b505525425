r"""Figure 23: steps until proximal descent finds the truth, for every sparsity and number of measurements."""

from ...lab.settings.sparse_phases import SWEPT
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .memorization import stable
from .phases import enough, judged, refer
from .sweeps import draw_times, times


def judge(data, told, rate, strength, level, reach, power) -> Evidence:
    """Slow times of recovery beside the flow's, along measurements and sparsity."""
    good = judged(told, strength=strength, level=level, reach=reach) & (data.share < 1)
    sizes = {"rate": rate, "strength": strength, "level": level, "reach": reach}
    return Evidence(sound=[stable(data, rate), enough(good)], holds=times(data, told, **sizes, power=power))


def draw(data, told, rate, strength, d) -> Drawing:
    """Steps until the truth is found."""
    return draw_times(data, told, rate, strength, d, method="Proximal")


CLAIM = Claim(
    kind="figure",
    title="Proximal descent: steps until the truth is found",
    says="Proximal descent finds the truth after the slow flow's time over rate x strength: sooner with more measurements, "
    "later with more entries.",
    source="beyond_l2, figure 23 (caption lost; by the text around it)",
    simulation=SWEPT["proximal"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"share": 2, "sparsity": 2},
    control=Control(
        "the root of the strength in the place of the strength",
        changes={"power": 0.5},
        breaks=("time of recovery over the slow flow's, less one, the farthest",),
    ),
    seconds={"quick": 12, "paper": 110},
)
