"""Inertia: with at least as many units as rows and outputs, the imbalance has n positive and m negative eigenvalues."""

from ...lab.settings.linear_net_widths import SPECTRUM
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Panel, Points

# Of the largest eigenvalue: what is above it is told from zero.
ZERO = 1e-10


def counts(data):
    """How many eigenvalues are positive and how many negative."""
    floor = ZERO * abs(data.found).max("p")
    return (data.found > floor).sum("p"), (data.found < -floor).sum("p")


def judge(data, rows, outputs) -> Evidence:
    """The share of draws, at the worst width, with as many of each sign as there are rows and outputs."""
    up, down = counts(data)
    right = ((up == rows) & (down == outputs)).mean("trial")
    return Evidence(
        holds=[
            at_least(
                "share of draws with rows positive and outputs negative, at the worst width",
                right.min(),
                1,
                why="with probability 1: an eigenvalue within 1e-10 of zero has a chance of that order",
            )
        ],
    )


def draw(data, width, rows, outputs) -> Drawing:
    """The least eigenvalue in size against the width, and the counts."""
    up, down = counts(data)
    least = abs(data.found).min("p") / abs(data.found).max("p")
    middle = least.median("trial").values
    return Drawing(
        [
            Panel(
                [Points("median", width.values, middle)],
                x=Axis("width", scale="log"),
                y=Axis("least over largest, in size", scale="log"),
                title="Distance from zero",
                legend=False,
            ),
            Panel(
                [
                    Points("positive", width.values, up.median("trial").values),
                    Points("negative", width.values, down.median("trial").values, role="second"),
                ],
                x=Axis("width", scale="log"),
                y=Axis("eigenvalues", low=0, high=rows + outputs),
                title="How many of each sign",
            ),
        ],
        caption="The imbalance of Gaussian layers has as many positive eigenvalues as the inputs have rank and as "
        "many negative ones as there are outputs, down to as many units as both together.",
    )


CLAIM = Claim(
    kind="statement",
    title="Random layers have an imbalance of full rank",
    says="For random layers with at least n + m hidden units the imbalance has rank n + m, with n positive and m "
    "negative eigenvalues, with probability 1.",
    source="min2021, section 5.1",
    simulation=SPECTRUM,
    judge=judge,
    draw=draw,
    sizes={
        "smoke": {"width": (6, 40)},
        "quick": {"width": (25, 30, 1_000)},
        "paper": {"width": (25, 26, 30, 100, 1_000, 10**6)},
    },
    control=Control(
        "fewer units than rows and outputs",
        changes={"width": (24, 30)},
        breaks=("share of draws with rows positive and outputs negative, at the worst width",),
    ),
    seconds={"quick": 3, "paper": 10},
)
