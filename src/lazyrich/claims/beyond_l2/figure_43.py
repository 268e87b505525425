"""Figure 43: a matrix sensed by random products and found by projected descent: the data fit from the first step on."""

from ...lab.settings.nuclear_descent import SENSING
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .nuclear_figures import at_truth, error_panel, norm_panel, on_time, right_rank, shown, sigma_panel, strongest
from .nuclear_limits import enough, readable, sensed

METHOD = "projected"


def judge(data, told, rate, strength, rank, level, reach) -> Evidence:
    """What is fitted after one step, and what is found in the end."""
    good = readable(told, reach)
    seen = strongest(data, told, good, METHOD)
    later = seen.steps >= 1
    return Evidence(
        sound=[enough(good)],
        holds=[
            *at_truth(seen, rank, level),
            right_rank(seen, rate * strength, rank),
            on_time(seen, 0.02),
            at_most(
                "relative error of the data from the first step on, the largest",
                seen.train.where(later).max(),
                1e-8,
                why="every step ends on the solutions; rounding times the condition of the measurements",
            ),
            at_least(
                "nuclear norm over the truth's from the first step on, the least",
                (seen.sigma.sum("k") / rank).where(later).min(),
                1 - 1e-8,
                why="among the solutions none has less than the truth; rounding times the condition of the measurements",
            ),
        ],
    )


def draw(data, told, rate, strength, rank, reach) -> Drawing:
    """Errors, norm and singular values of one draw."""
    one = strongest(data, told, shown(told, reach), METHOD).isel(trial=0)
    return Drawing(
        [
            error_panel(one, found=float(one.told / (rate * strength)), fit=False),
            norm_panel(one, rank),
            sigma_panel(one, rank),
        ],
        columns=3,
        caption="One draw of matrix sensing. Projected descent fits the data in one step and then walks along the solutions "
        "down to the least nuclear norm, where the truth is.",
    )


CLAIM = Claim(
    kind="figure",
    title="Matrix sensing by projected descent",
    says="Projected subgradient descent fits the data from the first step on, and finds the matrix when the slow flow of the "
    "nuclear norm does, with its norm and its rank.",
    source="beyond_l2, figure 43",
    simulation=SENSING,
    refer=sensed,
    judge=judge,
    draw=draw,
    control=Control(
        "decay in the place of the nuclear norm",
        changes={"nuclear": 0.0, "strength": 3e-3},
        breaks=(
            "relative error at the end, the largest",
            "singular values above ten steps at the end, less the rank of the truth, the farthest",
            "time of recovery over the slow flow's, less one, the median",
        ),
    ),
    seconds={"quick": 20, "paper": 3600},
)
