"""Two regimes: the level of imbalance says little of the pace of a narrow net and nearly all of that of a wide one."""

import numpy as np

from ...lab.settings.linear_net_widths import FOLLOWED
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Panel, Points, Rule, Slope
from ..labelled import last_power


def mean_rate(data):
    """The rate at which the whole fall of the loss would take the time it took, over what the start guarantees."""
    ends = data.excess.isel(t=-1) / data.excess.isel(t=0)
    return -np.log(ends) / data.time.isel(t=-1) / data.guaranteed.isel(t=0)


def judge(data) -> Evidence:
    """The mean rate over the guarantee at both ends of the widths, and the power at which it nears one."""
    over = mean_rate(data)
    return Evidence(
        sound=[
            at_most(
                "largest margin at the start",
                data.margin.isel(t=0).max(),
                0,
                why="then the level of imbalance is all that guarantees a rate",
            )
        ],
        holds=[
            at_least(
                "mean rate over the guarantee at the least width, the median",
                over.isel(width=0).median("trial"),
                2,
                why="spreads larger than the level: the slowest mode is not the pace of the loss",
            ),
            at_most(
                "mean rate over the guarantee at the largest width, the largest",
                over.isel(width=-1).max(),
                1.1,
                why="all modes within 4 sqrt(rows/width) of each other, 0.06 at 100,000 units",
            ),
            near(
                "power of the width at which mean rate and guarantee agree",
                last_power((over - 1).mean("trial"), "width"),
                0.5,
                0.05,
                why="the spread of the modes is like width^(-1/2); the next order is a hundredth there",
            ),
        ],
    )


def draw(data, width) -> Drawing:
    """The mean rate over the guarantee against the width."""
    over = (mean_rate(data) - 1).median("trial").values
    return Drawing(
        [
            Panel(
                [
                    Points("median over draws", width.values, over),
                    Slope("width^(-1/2)", width.values[1:], (float(width[-1]), float(over[-1])), -0.5),
                    Rule("twice the guarantee", 1.0),
                ],
                x=Axis("width", scale="log"),
                y=Axis("mean rate over the guarantee, less 1", scale="log"),
            )
        ],
        columns=1,
        caption="How much faster the loss falls than the level of imbalance guarantees: several times in a narrow "
        "net, by a vanishing share in a wide one.",
    )


CLAIM = Claim(
    kind="statement",
    title="The guarantee is loose in narrow nets and sharp in wide ones",
    says="From unit normal layers with a scaled output, twice the level of imbalance is a poor bound on the pace of "
    "the loss at a width near rows + outputs; at large width it is the pace itself, up to a share like width^(-1/2).",
    source="min2021, section 5.1",
    simulation=FOLLOWED,
    judge=judge,
    draw=draw,
    sizes={
        "quick": {"width": (30, 1_000, 10_000, 100_000)},
        "paper": {"width": (30, 100, 1_000, 10_000, 100_000, 10**6)},
    },
    least={"width": 2},
    control=Control(
        "small widths only",
        changes={"width": (30, 60)},
        breaks=(
            "mean rate over the guarantee at the largest width, the largest",
            "power of the width at which mean rate and guarantee agree",
        ),
    ),
    seconds={"quick": 14, "paper": 40},
)
