"""Figure 4: completion by subgradient descent: data first, then the nuclear norm falls and singular values die one by one."""

import numpy as np

from ...lab.settings.nuclear_descent import COMPLETION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .nuclear_figures import at_truth, last_alive, panels, right_rank, shown, strongest
from .nuclear_limits import enough, readable, slow

METHOD = "subgradient"


def judge(data, told, rate, strength, rank, level, reach) -> Evidence:
    """Both phases of every draw at the least strength: who pulls, when, and what is left."""
    good = readable(told, reach)
    seen = strongest(data, told, good, METHOD)
    step = float(rate[0] * strength[-1])
    between = (seen.slow > 0.1 * seen.told) & (seen.slow < 0.9 * seen.told)
    pull = seen.ratio.where(between).median("t")
    dead = last_alive(seen, step).isel(k=slice(rank, None))
    return Evidence(
        sound=[enough(good)],
        holds=[
            *at_truth(seen, rank, level),
            right_rank(seen, step, rank),
            at_least(
                "decimal logarithm of the time of recovery over that of fitting, the least",
                np.log10(seen.finds / seen.fits).min(skipna=False),
                0.5,
                why="a time of order one over ten steps of 5e-4 is two decades; the least of draws is earlier by one and more",
            ),
            at_most(
                "penalty's slope over the data's before known entries are fitted, the largest",
                seen.ratio.where(seen.train > level).max(),
                0.3,
                why="at most strength x root of 6 over level x norm of the data: 0.1",
            ),
            at_least(
                "the same between fitting and recovery, the median in time, the least",
                pull.min(skipna=False),
                0.95,
                why="the data's slope is then the part of the penalty's on known entries: the ratio is at least one",
            ),
            at_most(
                "the same, the largest",
                pull.max(skipna=False),
                3,
                why="known entries are most of all, and hold most of the penalty's slope",
            ),
            at_most(
                "first death of a singular value over the last, the median draw",
                (dead.min("k") / dead.max("k")).median(),
                0.7,
                why="they die at times of their own size; together they would die at one",
            ),
            at_least(
                "least singular value of the truth at the end over that when known entries were fitted, the median",
                _rise(seen, rank).median(),
                1.02,
                why="filling unknown entries with zeros leaves out a part of them; they do not decay",
            ),
        ],
    )


def _rise(seen, rank: int):
    """The last singular value of the truth at the end over that when known entries were fitted."""
    one = seen.sigma.isel(k=rank - 1)
    return one.isel(t=-1) / one.isel(t=(seen.slow >= seen.fits).argmax("t"))


def draw(data, told, rate, strength, rank, reach) -> Drawing:
    """Errors, slopes, norm and singular values of one draw."""
    one = strongest(data, told, shown(told, reach), METHOD).isel(trial=0)
    return Drawing(
        panels(one, rank, found=float(one.told / (rate[0] * strength[-1]))),
        caption="One draw of matrix completion with a small nuclear penalty. Known entries are fitted at once; then the "
        "norm falls to that of the truth while singular values die one by one, and the matrix is found with the last.",
    )


CLAIM = Claim(
    kind="figure",
    title="Matrix completion: data first, then low rank",
    says="Subgradient descent with a small nuclear penalty fits the known entries first; then the penalty pulls, singular "
    "values that the truth has not die one after another, those it has grow, and the matrix is found at its nuclear norm.",
    source="beyond_l2, figure 4",
    simulation=COMPLETION,
    refer=slow,
    judge=judge,
    draw=draw,
    control=Control(
        "decay in the place of the nuclear norm",
        changes={"nuclear": 0.0, "rate": (0.5,), "strength": (1e-3,)},
        breaks=(
            "relative error at the end, the largest",
            "singular values above ten steps at the end, less the rank of the truth, the farthest",
        ),
    ),
    seconds={"quick": 20, "paper": 3600},
)
