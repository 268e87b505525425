r"""Theorem D.12: descent on the nuclear norm takes every singular value to $|\sigma-\alpha|$, and turns no singular vector."""

import numpy as np

from ...lab.settings.nuclear_steps import SIMULATION
from ..axes import places
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Rule

# The polar factor is good to 1e-15 times the square of the largest over the least singular value, here a thousand.
ROUNDING = 1e-6


def off_the_law(size, step=1.0):
    r"""The largest $|\sigma_{t+1} - |\sigma_t - \text{step}||$."""
    before, after = size.isel(t=slice(None, -1)), size.isel(t=slice(1, None))
    # What has become zero stays there, since a matrix without it has no such direction.
    return abs(after - abs(before - step)).where(before > ROUNDING)


def judge(data, share) -> Evidence:
    """Each singular value from update to update, the largest when it is named and one update earlier, and what is zero."""
    size = abs(data.along)
    counts = places(size, "t")
    named = np.floor(share * data.ratio.max("k"))
    largest = size.max("k")
    return Evidence(
        holds=[
            at_most(
                "next singular value less |sigma - step|, the farthest over the step",
                off_the_law(size).max(),
                ROUNDING,
                why="rounding of the polar factor",
            ),
            at_most(
                "what leaves the first singular vectors, the largest over the step",
                data.beside.max(),
                ROUNDING,
                why="they stay, up to a sign; rounding of the polar factor",
            ),
            at_most(
                "largest singular value over the step from the time named on",
                largest.where(counts >= named).max(),
                1 - 1e-3,
                why="strictly below: by 0.05 at least, as they were drawn",
            ),
            at_least(
                "largest singular value over the step one update before",
                largest.where(counts == named - 1).max("t").where(named > 0).min(),
                1 - ROUNDING,
                why="the other half of `if and only if`; rounding",
            ),
            at_most(
                "zeros at the end less the number of multiples of the step, the farthest",
                abs((size.isel(t=-1) < ROUNDING).sum("k") - data.multiple.sum("k")).max(),
                0,
                why="counted; printed is that so many are left (the misprint of theorem C.12)",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The singular values of one draw in time, in units of the step."""
    one = data.isel(trial=0, rate=0, strength=0, whole=-1)
    sizes = abs(one.along).transpose("t", "k").values
    updates = np.arange(sizes.shape[0])
    return Drawing(
        [
            Panel(
                [
                    *(Line(f"value {k + 1}", updates, sizes[:, k]) for k in range(sizes.shape[1])),
                    Rule("step", 1.0),
                    Event("floor(largest/step)", float(np.floor(one.ratio.max()))),
                ],
                x=Axis("updates"),
                y=Axis("singular value over the step", low=0.0),
                legend=False,
            )
        ],
        columns=1,
        caption="Descent on the nuclear norm alone, one draw: singular values fall by one step an update, each by "
        "itself, and then hop below it; multiples of the step become zero.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Singular values walk to zero, each by itself",
    says="Under A <- A - alpha U V' each singular value goes to |sigma - alpha| and the singular vectors stay up to signs; the "
    "largest is below alpha after floor(sigma/alpha) updates and not before; multiples of alpha become zero.",
    source="beyond_l2, theorem D.12",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"share": 1.0},
    control=Control(
        "half as many updates",
        changes={"share": 0.5},
        breaks=("largest singular value over the step from the time named on",),
    ),
    seconds={"quick": 8, "paper": 60},
)
