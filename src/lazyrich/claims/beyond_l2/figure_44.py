"""Figure 44: a matrix sensed by random products and found by proximal descent: near the truth, at the nuclear lasso."""

import numpy as np

from ...lab.settings.nuclear_descent import SENSING
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .nuclear_figures import at_truth, on_time, panels, shown, strongest
from .nuclear_limits import enough, readable, sensed

METHOD = "proximal"


def judge(data, told, rate, strength, rank, level, reach) -> Evidence:
    """Both phases, and where the singular values end."""
    good = readable(told, reach)
    seen = strongest(data, told, good, METHOD)
    lasso = told["sizes"].where(good, drop=True).rename(d="k")
    apart = abs(seen.sigma.isel(t=-1) - lasso) / strength
    return Evidence(
        sound=[enough(good)],
        holds=[
            *at_truth(seen, rank, level),
            on_time(seen, 0.2),
            at_most(
                "singular values at the end beside the nuclear lasso's, the farthest over the strength",
                apart.max(skipna=False),
                0.3,
                why="proximal descent minimizes just that sum; what is left of the way after twice the time of the flow",
            ),
            at_most(
                "penalty's slope over the data's at the start, the largest",
                seen.ratio.isel(t=0).max(skipna=False),
                0.1,
                why="strength x root of 6 over a slope of the data of order one",
            ),
            at_least(
                "decimal logarithm of the time of recovery over that of fitting, the least",
                np.log10(seen.finds / seen.fits).min(skipna=False),
                0.5,
                why="data are fitted in some hundred steps, the slowest direction's time over the rate; recovery takes thousands",
            ),
        ],
    )


def draw(data, told, rate, strength, rank, reach) -> Drawing:
    """Errors, slopes, norm and singular values of one draw."""
    one = strongest(data, told, shown(told, reach), METHOD).isel(trial=0)
    return Drawing(
        panels(one, rank, found=float(one.told / (rate * strength))),
        caption="One draw of matrix sensing by proximal descent. After the data are fitted the norm falls to the truth's, "
        "and singular values that the truth has not die one after another.",
    )


CLAIM = Claim(
    kind="figure",
    title="Matrix sensing by proximal descent",
    says="Proximal descent fits the data first and then finds the matrix, when the slow flow of the nuclear norm does up "
    "to the bias of the penalty, and ends at the nuclear lasso.",
    source="beyond_l2, figure 44",
    simulation=SENSING,
    refer=sensed,
    judge=judge,
    draw=draw,
    control=Control(
        "decay in the place of the nuclear norm",
        changes={"nuclear": 0.0, "strength": 3e-3},
        breaks=(
            "relative error at the end, the largest",
            "singular values at the end beside the nuclear lasso's, the farthest over the strength",
            "time of recovery over the slow flow's, less one, the median",
        ),
    ),
    seconds={"quick": 20, "paper": 3600},
)
