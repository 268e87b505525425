"""Figure 2 (right) and figure 5: loss and rate beside their bounds at four widths."""

import numpy as np

from ...lab.settings.linear_net_widths import FOLLOWED
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .decay import fall, over_bound, rates

# Time of one iteration: the step of descent in the figure.
STEP = 0.05


def edges(rows, outputs, width):
    """The fastest mode over the slowest for Gaussian layers of a large width."""
    near = np.sqrt(np.array([rows, outputs]) / width)
    return float(((1 + near) ** 2).sum() / ((1 - near) ** 2).sum())


def judge(data, rows, outputs, width) -> Evidence:
    """The bounds at all widths, how the rate falls towards its bound in a narrow net, and how it stays in a wide one."""
    over = data.rate / data.proposition_1
    narrow, wide, last = over.isel(width=0), over.isel(width=-1), data.rate.isel(width=-1)
    most = edges(rows, outputs, float(width[-1]))
    return Evidence(
        holds=[
            at_least("rate over proposition 1, the least", over.min(), 1, why="a bound below at every time"),
            at_most(
                "log of the loss over theorem 3, the largest",
                over_bound(data, data.guaranteed.isel(t=0)).max(),
                0,
                why="a bound above at every time",
            ),
            at_least(
                "rate over its bound, at the start over that at the end, at the least width, the median",
                (narrow.isel(t=0) / narrow.isel(t=-1)).median(),
                2,
                why="the figure: it starts well above and falls towards the bound as only slow modes are left",
            ),
            at_most(
                "rate over its bound at the end, at the least width, the median",
                narrow.isel(t=-1).median(),
                3,
                why="the figure: reasonably good late; a factor near 2 is left",
            ),
            at_most(
                "rate over its bound at any time, at the largest width, the largest",
                wide.max(),
                1.6,
                why=f"the fastest mode of the layers over the slowest is {most:.2f} at this width",
            ),
            at_most(
                "largest over least rate of a run, at the largest width",
                (last.max("t") / last.min("t")).max(),
                1.3,
                why="the figure: hardly any variation; from the mean mode to the slowest, about half of what the "
                "edges allow",
            ),
        ],
    )


def draw(data, width) -> Drawing:
    """Loss and rate against iterations with their bounds, at the least and the largest width."""
    one = data.isel(trial=0).assign(time=data.time.isel(trial=0) / STEP)
    ends = [width.values[0], width.values[-1]]
    runs = [(f"width {int(h)}", one.sel(width=h)) for h in ends]
    loss = [(name, run, float(run.guaranteed.isel(t=0)) * STEP) for name, run in runs]
    rate = [(name, run, run.proposition_1) for name, run in runs]
    top, low = fall(loss, "Loss and theorem 3", "iterations"), rates(rate, "Rate and proposition 1", "iterations")
    return Drawing(
        [top, low],
        caption="Time in iterations of descent with step 0.05. In a narrow net the rate starts far above its bound "
        "and the guarantee of the start is nearly flat; in a wide one the rate hardly moves and both bounds are close.",
    )


CLAIM = Claim(
    kind="figure",
    title="Loss and rate keep their bounds at every width",
    says="Factoring a small matrix by the product of unit normal layers over the root of outputs times width: loss "
    "and rate keep theorem 3 and proposition 1; at width 30 the rate falls towards its bound, at width 1000 it is "
    "nearly constant and close to it.",
    source="min2021, figures 2 (right) and 5",
    simulation=FOLLOWED,
    judge=judge,
    draw=draw,
    aliases=("figure_5",),
    least={"width": 2},
    control=Control(
        "small widths only",
        changes={"width": (30, 60)},
        breaks=(
            "rate over its bound at any time, at the largest width, the largest",
            "largest over least rate of a run, at the largest width",
        ),
    ),
    seconds={"quick": 14, "paper": 30},
)
