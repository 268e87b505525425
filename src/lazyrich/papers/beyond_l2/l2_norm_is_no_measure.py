"""The l2 norm of the weights is no measure of progress: on the way to one truth it grows with one factor and falls with two."""

import numpy as np

from ...lab.settings.hadamard import NORMS
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Event, Line, Panel
from .phases import once

GROWS = "l2 norm of one factor at recovery over that at the fit, the median draw"


def grown(data, curve: str, ways: str):
    """A norm when the truth is found over that when the data are fitted; NaN where one of them is not."""
    first, last = data[f"{ways}_fits"], data[f"{ways}_finds"]
    there = np.isfinite(first) & np.isfinite(last)
    return (once(data[curve], data.steps, last) / once(data[curve], data.steps, first)).where(there)


def judge(data, n, d) -> Evidence:
    """Who finds the truth, and how the norms change from fit to recovery."""
    shares = [float(np.isfinite(data[f"{ways}_finds"]).mean()) for ways in ("one", "two")]
    one, two = grown(data, "one_l2", "one"), grown(data, "two_weights", "two")
    return Evidence(
        sound=[
            at_most(
                "rate times sharpness with two factors, the largest",
                data.two_edge.max(skipna=False),
                1,
                why="below 1 a step overshoots in no direction, and descent follows its flow; from 2 on it is unstable",
            ),
        ],
        holds=[
            at_least(
                "share of draws found, the least of both ways",
                min(shares),
                0.8,
                why="both end at the lasso, whose bias is some times the strength",
            ),
            near(
                "square of the l2 norm of one factor at recovery over that at the fit, times the share of rows, the median",
                (one**2).median() * n / d,
                1,
                0.3,
                why="least squares keeps N/n of the truth's square; what is over has a deviation of 0.14 over draws for half of "
                "the rows, and a median of six one of 0.07",
            ),
            at_least(
                GROWS,
                one.median(),
                1.2,
                why="the root of n/N is 1.41 for half of the rows, 1.05 for nine tenths of them",
            ),
            at_most(
                "l2 norm of both of two factors at recovery over that at the fit, the largest",
                two.max(),
                0.95,
                why="decay takes what the start has left over, 2 start^2 of a square that ends at twice the l1 norm",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Errors and norms of one draw, both ways."""
    one = data.isel(trial=0, t=slice(1, None))
    x = Axis("steps", scale="log")
    panels = []
    for ways, title, norm in (
        ("one", "One factor, l1 penalty", "one_l2"),
        ("two", "Two factors, decay", "two_weights"),
    ):
        fitted, found = (float(one[f"{ways}_{time}"]) for time in ("fits", "finds"))
        times = [Event("fitted", fitted, role="control"), Event("found", found)]
        times = [time for time in times if np.isfinite(time.x)]
        panels += [
            Panel(
                [
                    Line("fit", one.steps.values, one[f"{ways}_train"].values, role="second"),
                    Line("recovery", one.steps.values, one[f"{ways}_recovery"].values),
                    *times,
                ],
                x=x,
                y=Axis("relative error", scale="log"),
                title=title,
            ),
            Panel(
                [Line("l2 norm", one.steps.values, one[norm].values), *times],
                x=x,
                y=Axis("l2 norm of all weights", low=0.0),
                title=title,
                legend=False,
            ),
        ]
    return Drawing(
        panels,
        caption="One draw, two ways to the same truth. From fit to recovery the l2 norm of the weights grows with an l1 penalty "
        "on one factor, and falls with decay on two.",
    )


CLAIM = Claim(
    kind="statement",
    title="The l2 norm is no measure of progress",
    says="From the fit to the recovery of the same sparse vector the l2 norm of all weights grows, by the root of n/N, for one "
    "factor with an l1 penalty, and falls for two factors with decay: it does not tell generalization.",
    source="beyond_l2, section 1",
    simulation=NORMS,
    judge=judge,
    draw=draw,
    control=Control(
        "nearly as many measurements as unknowns, where the fit is the truth",
        changes={"n": 90},
        breaks=(GROWS,),
    ),
    seconds={"quick": 20, "paper": 60},
)
