r"""Lemma 11, first part: the level of imbalance of a wide Gaussian start exceeds $h^{1-2a}$; in fact it nears twice that."""

import numpy as np

from ...lab.settings.gaussian_starts import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import farthest
from .widths import radius


def judge(data, width, exponent, d, outputs, delta, claimed) -> Evidence:
    """How often the level is below what the lemma says, and what it is at large width."""
    ratio = data.level / width ** (1 - 2 * exponent)
    middle = ratio.median(("trial", "s"))
    edge = 2 * (1 - np.sqrt((outputs + d) / width)) ** 2
    return Evidence(
        sound=[
            at_least(
                "least width over what the lemma asks for",
                width.min() / (16 * radius(outputs, d, delta) ** 2),
                1,
                why="the lemma speaks of widths above 16 s^2",
            )
        ],
        holds=[
            at_most(
                "share of starts whose level is not above h^(1-2a), the largest",
                (ratio <= claimed).mean(("trial", "s")).max(),
                delta,
                why="the lemma's own probability",
            ),
            near(
                "level over h^(1-2a) at the largest width, the median farthest from 2",
                farthest(middle.isel(width=-1), 2),
                2,
                0.02,
                why="the Gram matrix is h^(1-2a) times the identity up to the root of (m + r)/h, a thousandth, a few times",
            ),
            at_least(
                "level over 2 (1 - sqrt((m + n)/h))^2 h^(1-2a), the least median",
                (middle / edge).min(),
                1,
                why="the least eigenvalues of both signs are at least the edge of the Gram matrix's spectrum",
            ),
        ],
    )


def draw(data, width, exponent, d, outputs) -> Drawing:
    """Levels against the width."""
    ratio = data.level / width ** (1 - 2 * exponent)
    low, mid, high = (ratio.quantile(q, ("trial", "s")) for q in (0.01, 0.5, 0.99))
    marks = []
    for at, a in enumerate(exponent.values):
        marks.append(Points(f"median, a = {a:g}", width, mid.isel(exponent=at).values, role=SERIES[at % 3]))
    edge = 2 * (1 - np.sqrt((outputs + d) / width.values)) ** 2
    return Drawing(
        [
            Panel(
                [
                    *marks,
                    Line("one start of a hundred is below", width, low.isel(exponent=-1).values, role="second"),
                    Line("edge of the spectrum, twice", width, edge, role="theory"),
                    Rule("the lemma", 1.0, role="control"),
                    Rule("the limit", 2.0),
                ],
                x=Axis("width", scale="log"),
                y=Axis("level of imbalance over h^(1-2a)", low=0.0, high=2.2),
            )
        ],
        columns=1,
        caption="The lemma asks for one; wide starts have two. All exponents lie on one another.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Wide Gaussian starts are imbalanced",
    says="For h > 16 s^2 the level of imbalance of a start with weights of deviation h^(-a) exceeds h^(1-2a) with probability "
    "1 - delta. It tends to twice that.",
    source="min2021, lemma 11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"delta": 0.1, "claimed": 1.0},
    control=Control(
        "a level above 2 h^(1-2a)",
        changes={"claimed": 2.0},
        breaks=("share of starts whose level is not above h^(1-2a), the largest",),
    ),
    seconds={"quick": 5, "paper": 600},
)
