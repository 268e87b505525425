r"""Figure 1: the truth is found after steps like 1/(rate x strength), to an error in proportion to the strength."""

import numpy as np

from ...lab.settings.sparse_phases import SCALED
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Drawing
from .memorization import stable
from .phases import refer
from .scaling import against_product, enough, last_error, power, settled


def judge(data, told, rate, strength, level, reach, clock) -> Evidence:
    """The powers of rate and strength in the number of steps, and that of the strength in the last error."""
    good = settled(told, strength=strength, level=level, reach=reach)
    finds, errors = data.finds.where(good), last_error(data).where(good)
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            at_most(
                "power of rate x strength in the steps until the truth is found, plus one, the farthest",
                max(float(abs(power(finds, axis) + clock).max()) for axis in ("rate", "strength")),
                0.02,
                why="steps are T/(rate x strength) up to the bias over the level, a tenth at most at the largest strength "
                "and half of that in time: 0.05 over a factor of ten",
            ),
            at_most(
                "time of recovery over the slow flow's, less one, the farthest at the least strength",
                abs((rate * strength * finds / told["finds"]).isel(strength=_least(strength)) - 1).max(),
                0.01,
                why="the same bias, a tenth of it",
            ),
            at_most(
                "power of the strength in the last error, less one, the farthest",
                abs(power(errors, "strength") - 1).max(),
                0.05,
                why="at a fixed rate start, truth and strength have one unit: the bias is linear in the strength, and so are "
                "steps to and fro, whose phase is by chance: a tenth of them over a factor of ten",
            ),
        ],
    )


def _least(strength):
    return int(np.argmin(strength.values))


def draw(data, told, strength, level, reach) -> Drawing:
    """Steps until the truth is found and the last error, against rate x strength."""
    good = settled(told, strength=strength, level=level, reach=reach)
    return Drawing(
        [
            against_product(data.finds, good, name="steps until the truth is found", exponent=-1),
            against_product(last_error(data), good, name="relative error at the end", exponent=1),
        ],
        caption="Subgradient descent, medians over draws. Left: steps fall like one over rate x strength. Right: the last "
        "error grows like the strength; two rates lie on two lines, since it does not grow like the rate.",
    )


CLAIM = Claim(
    kind="figure",
    title="Smaller steps of the penalty: later, and nearer to the truth",
    says="The number of steps until the truth is found is in proportion to 1/(rate x strength); the error that is left is in "
    "proportion to the strength at a fixed rate.",
    source="beyond_l2, figure 1",
    simulation=SCALED["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"clock": 1.0},
    least={"rate": 2, "strength": 2},
    control=Control(
        "steps like one over the root of rate x strength",
        changes={"clock": 0.5},
        breaks=("power of rate x strength in the steps until the truth is found, plus one, the farthest",),
    ),
    seconds={"quick": 10, "paper": 220},
)
