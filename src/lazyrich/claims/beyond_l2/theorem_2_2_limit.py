r"""Erratum: theorem 2.2 prints $\|A^{(t)}\|_p\le\alpha\beta_*n^{1/p}$ in the end; that is true of what the truth has not."""

import numpy as np

from ...lab.settings.nuclear_descent import COMPLETION, METHODS
from ..axes import side_by_side
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Rule
from .nuclear_figures import shown, strongest
from .nuclear_limits import enough, readable, slow

RESTS = "singular value beyond the penalized answer's over rate x strength after rest, the largest"


def judge(data, told, rate, strength, rank, reach, beyond) -> Evidence:
    """The largest singular value beyond the rank, over a step, after the slow flow has come to rest and before.

    What the penalized answer itself keeps there, the end of proximal steps, is taken off; projected steps have no such answer.
    """
    good = readable(told, reach)
    seen = side_by_side([data[f"{method}_sigma"] for method in METHODS], "method").where(good, drop=True)
    slowly, rests = data.slow.where(good, drop=True), told["rests"].where(good, drop=True)
    largest = seen.isel(k=rank if beyond else 0) / (rate * strength)
    answer = data.proximal_sigma.isel(k=rank, t=-1).where(good, drop=True) / (rate * strength)
    over = largest - side_by_side([0 * answer if method == "projected" else answer for method in METHODS], "method")
    kept = seen.isel(k=rank - 1, t=-1)
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                RESTS,
                over.where(slowly > 1.1 * rests).max(),
                3,
                why="a step moves it by rate x (strength + the data's slope), and the data's slope is at most the "
                "strength then: two steps, and one for the way the method is off the flow; where the data's slope is the "
                "strength itself, the penalized answer keeps some tenths of a strength",
            ),
            at_least(
                "the same before half of that time, the median",
                largest.where((slowly > 0.1 * rests) & (slowly < 0.5 * rests)).median(),
                3,
                why="the other half of `if and only if`",
            ),
            at_least(
                "last singular value of the truth at the end, the least",
                kept.min(skipna=False),
                0.95,
                why="that of the truth is one, less a few strengths: the matrix does not tend to zero",
            ),
        ],
    )


def draw(data, told, rate, strength, rank, reach) -> Drawing:
    """Largest and first superfluous singular value of one draw over a step."""
    one = strongest(data, told, shown(told, reach), "subgradient").isel(trial=0)
    x, step = one.steps.values, float(rate[0] * strength[-1])
    after = x > 0
    sigma = one.sigma.transpose("t", "k").values[after] / step
    return Drawing(
        [
            Panel(
                [
                    Line("beyond the rank", x[after], np.maximum(sigma[:, rank], 1e-3)),
                    Line("largest: as printed", x[after], sigma[:, 0], role="control"),
                    Rule("one step", 1.0),
                ],
                x=Axis("steps", scale="log"),
                y=Axis("singular value over rate x strength", scale="log"),
            )
        ],
        columns=1,
        caption="Subgradient descent in matrix completion, one draw. What the truth has not falls to the size of a step; "
        "the matrix itself tends to the truth, not to zero.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Only what the truth has not falls to zero",
    says="After t2 the singular values beyond the rank of the truth are of the size of alpha beta, if and only if t >= t2; "
    "printed is that all are, |A|_p <= alpha beta n^(1/p), while the matrix tends to the truth.",
    source="beyond_l2, theorem 2.2",
    simulation=COMPLETION,
    refer=slow,
    judge=judge,
    draw=draw,
    constants={"beyond": True},
    control=Control(
        "all singular values, as printed",
        changes={"beyond": False},
        breaks=(RESTS,),
    ),
    seconds={"quick": 20, "paper": 380},
)
