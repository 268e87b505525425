r"""Erratum: section 2 prints $\sigma\to|\sigma-\alpha|$ for descent with a nuclear penalty; its step is $\alpha\beta_*$."""

import numpy as np

from ...lab.settings.nuclear_steps import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .theorem_d_12 import ROUNDING, off_the_law


def judge(data, rate, strength, power) -> Evidence:
    """Singular values from update to update, and when the largest is within the step, for a step of rate x strength^power."""
    step = strength ** (power - 1)  # over rate x strength, the unit of all lengths here
    size = abs(data.along)
    within = size.max("k") < step * (1 - ROUNDING)
    return Evidence(
        sound=[
            at_least(
                "farthest logarithm of a strength from zero",
                abs(np.log(strength)).max(),
                0.5,
                why="at a strength of one both forms agree",
            )
        ],
        holds=[
            at_most(
                "next singular value less |sigma - step|, the farthest over rate x strength",
                off_the_law(size, step).max(),
                ROUNDING,
                why="rounding of the polar factor",
            ),
            at_most(
                "updates until the largest is within the step, less floor(largest/step), the farthest",
                abs(within.argmax("t") - np.floor(data.ratio.max("k") / step)).max(),
                0,
                why="counted; none is nearer to a multiple than 0.05 steps",
            ),
        ],
    )


def draw(data, rate, strength) -> Drawing:
    """The largest singular value of one draw at every strength, beside both laws."""
    panels = []
    for at in range(strength.size):
        one = data.isel(trial=0, rate=0, whole=0, strength=at)
        beta = float(strength[at])
        sizes = abs(one.along).max("k").values * beta
        updates = np.arange(sizes.size)
        printed = [sizes[0]]
        while len(printed) < sizes.size:
            printed.append(abs(printed[-1] - 1.0))
        panels.append(
            Panel(
                [
                    Line("largest of all", updates, sizes),
                    Line("as printed", updates, printed, role="control"),
                ],
                x=Axis("updates"),
                y=Axis("singular value over the rate", low=0.0),
                title=f"strength {beta:g}",
            )
        )
    return Drawing(
        panels,
        caption="Descent on the nuclear norm alone. An update lowers singular values by rate x strength; printed is the rate.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The step is rate times strength",
    says="Descent with a nuclear penalty of strength beta takes singular values to |sigma - alpha beta| while data are silent; "
    "printed is |sigma - alpha|.",
    source="beyond_l2, theorem 2.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 1},
    control=Control(
        "|sigma - alpha|, as printed",
        changes={"power": 0},
        breaks=(
            "next singular value less |sigma - step|, the farthest over rate x strength",
            "updates until the largest is within the step, less floor(largest/step), the farthest",
        ),
    ),
    seconds={"quick": 8, "paper": 60},
)
