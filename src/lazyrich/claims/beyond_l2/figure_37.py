"""Figure 37: the digit as descent sees it: noise when the data are fitted, then pixel by pixel the zero."""

import numpy as np

from ...lab.settings.signals import DIGIT
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Heat, Panel
from .coherent import at_fit
from .recovered import moments_of, recoverable, slow_signal


def refer(problem, level):
    """The slow flow of the same measurements."""
    return slow_signal(problem, level)


def judge(data, told, level, pixels) -> Evidence:
    """How many pixels are lit, and which, at the fit and at the end."""
    good = recoverable(told)
    known = data.where(good, drop=True)
    lit = (known.truth > 0).transpose(..., "d")
    end = known.weights.isel(t=-1) > 0.1 * known.top
    seen = abs(at_fit(known, "weights", level)) > 0.05 * known.top
    return Evidence(
        sound=[
            at_least(
                "share of draws whose digit has the least l1 norm",
                good.mean(),
                0.5,
                why="where it has not, no strength finds it; half of the draws is enough to judge by",
            )
        ],
        holds=[
            at_most(
                "lit pixels of the digit less the number in print",
                abs(lit.sum("d") - pixels).max(),
                0,
                why="an exact count",
            ),
            at_most(
                "pixels at the end that are wrong, the median draw",
                (end != lit).sum("d").median(),
                0,
                why="the truth's pixels are 0 or at least half of the largest: a tenth tells them apart, far above the bias",
            ),
            at_least(
                "dark pixels that are not dark when the data are fitted, the share, the median draw",
                (seen & ~lit).sum("d").median() / (data.sizes["d"] - pixels),
                0.3,
                why="least squares spreads over all pixels what it misses",
            ),
        ],
    )


def draw(data, told, n) -> Drawing:
    """The image of one draw at the fit, on the way, at the end, and the digit."""
    one = data.isel(trial=0)
    side = int(np.sqrt(one.truth.size))
    shots = {name: one.weights.values[at] for name, at in moments_of(one, told).items()} | {
        "the digit": one.truth.values
    }
    cells = np.arange(side)
    return Drawing(
        [
            Panel(
                [Heat("", cells, cells, np.asarray(image).reshape(side, side)[::-1], low=-0.3, high=1.0)],
                x=Axis(""),
                y=Axis(""),
                title=name,
                legend=False,
                bare=True,
            )
            for name, image in shots.items()
        ],
        columns=4,
        caption=f"The digit zero from {n} measurements of its {side * side} pixels, one draw.",
    )


CLAIM = Claim(
    kind="figure",
    title="The digit comes out of the noise",
    says="When the data are fitted the image of the 8 x 8 digit is full of noise; at the end its 22 lit pixels are lit and the "
    "others dark.",
    source="beyond_l2, figure 37",
    simulation=DIGIT,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"pixels": 22},
    control=Control(
        "stopped soon after the fit",
        changes={"reach": 0.02},
        breaks=("pixels at the end that are wrong, the median draw",),
    ),
    seconds={"quick": 10, "paper": 60},
)
