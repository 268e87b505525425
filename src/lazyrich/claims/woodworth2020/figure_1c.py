r"""Figure 1c: the largest scale that generalizes collapses as the samples near the number that least l1 needs."""

import numpy as np

from ...lab.settings.recovery_scale import LOWER, SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel

# Below every scale that is tried.
FLOOR = float(LOWER[-1]) - 1


def medians(data):
    """The median log scale over draws for each n and depth; below all that were tried where most draws have none."""
    return data.log_scale.where(np.isfinite(data.log_scale), FLOOR).median("trial")


def needed(data, level):
    """The fewest samples with which least l1 recovers on most draws; infinite if none do."""
    enough = data.error_l1.isel(depth=0).median("trial") <= level
    return float(data.n.where(enough).min()) if bool(enough.any()) else np.inf


def judge(data, level) -> Evidence:
    """Recovery with many samples, the collapse near the least number, and none far below it."""
    shallow = data.isel(depth=0)
    middle, least = medians(data).isel(depth=0), needed(data, level)
    recovers = np.isfinite(shallow.log_scale)
    most = middle.isel(n=-1)
    above = middle.where(data.n >= least)
    return Evidence(
        holds=[
            at_least(
                "share of draws that some scale recovers, with the most samples",
                recovers.isel(n=-1).mean("trial"),
                0.7,
                why="with so many samples least l1 recovers on most draws, and so does a scale that is small enough",
            ),
            at_least(
                "decades of alpha^2 from the fewest samples that least l1 needs to the most, up to 4",
                np.minimum(most - (above.min() if np.isfinite(least) else most), 4),
                1,
                why="near its least number of samples only very small scales will do; a decade is far above one step "
                "of the scan, and beyond four their number is a matter of draws",
            ),
            at_most(
                "share of draws that some scale recovers, with the fewest samples",
                recovers.isel(n=0).mean("trial"),
                0.6,
                why="below the number that least l1 needs, scale does not help but by luck",
            ),
        ],
    )


def draw(data, n, level) -> Drawing:
    """The largest alpha against n with the number of samples that least l1 needs."""
    middle = medians(data).isel(depth=0)
    shown = (10 ** (middle / 2)).where(middle > FLOOR)
    least = needed(data, level)
    return Drawing(
        panels=[
            Panel(
                [Line("largest alpha, median", n.values, shown.values)]
                + ([Event("least l1 needs", least)] if np.isfinite(least) else []),
                x=Axis("samples"),
                y=Axis("alpha", scale="log"),
            )
        ],
        columns=1,
        caption=f"The largest scale at which the population error is at most {level:g}. Near the number that least l1 needs "
        "(dashed) it collapses; with a few more, far larger scales generalize.",
    )


CLAIM = Claim(
    kind="figure",
    title="Samples buy scale",
    says="The largest alpha with population error at most 0.025 falls by orders of magnitude as the number of samples "
    "nears that which least l1 needs, and rises quickly with slightly more.",
    source="woodworth2020, figure 1c",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    sizes={"quick": {"depth": (2,)}, "paper": {"depth": (2,)}},
    least={"n": 2},
    control=Control(
        "a truth without zeros",
        changes={"sparsity": "=d", "depth": (2,)},
        breaks=("share of draws that some scale recovers, with the most samples",),
    ),
    seconds={"quick": 10, "paper": 300},
)
