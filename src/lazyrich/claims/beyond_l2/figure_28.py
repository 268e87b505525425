"""Figure 28: maps of when data are fitted and truth is found, over the number and the coherence of measurements."""

import numpy as np

from ...lab.settings.few_rows import COHERENT
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Heat, Panel
from .coherent import growth, middle, slow_times


def refer(problem, n, coherence, level):
    """The slow flow of the same measurements."""
    return slow_times(problem, n, coherence, level)


def judge(data, told, n, rate, strength, reach) -> Evidence:
    """The delay grows with the coherence and falls with the number of measurements."""
    steps = reach / (rate * strength)
    delay = middle(data.finds - data.fits, steps).sortby("n").sortby("coherence")
    fewer = delay.isel(n=0) / delay.isel(n=-1)
    coherent = delay.isel(coherence=-1) / delay.isel(coherence=0)
    return Evidence(
        holds=[
            at_least(
                "delay at the largest coherence over that at the least, the median, the least over numbers of rows",
                coherent.min(),
                1.3,
                why="the paper: the delay grows with the coherence",
            ),
            at_least(
                "delay with the fewest measurements over that with the most, the median, the least over coherences",
                fewer.min(),
                1.5,
                why="the paper: it falls with the number of measurements, twice as many here",
            ),
            at_least(
                "the slow flow's time at the largest coherence over that at the least, the least over numbers of rows",
                growth(told, reach).min(),
                1.3,
                why="the same, told before training",
            ),
            at_most(
                "time of fit over time of recovery, the median where both are there",
                (data.fits / data.finds).where(np.isfinite(data.finds)).median(),
                0.3,
                why="memorization takes a multiple of the inverse curvature, recovery 1/(rate x strength)",
            ),
        ]
    )


def draw(data, n, coherence, rate, strength, reach) -> Drawing:
    """Medians over draws of both times, in steps."""
    steps = reach / (rate * strength)
    panels = []
    for name, title in (("fits", "Data fitted"), ("finds", "Truth found")):
        values = np.log10(middle(data[name], steps)).transpose("coherence", "n").values
        panels.append(
            Panel(
                [Heat("log10 of steps", n.values, coherence.values, values)],
                x=Axis("measurements"),
                y=Axis("coherence"),
                title=title,
            )
        )
    return Drawing(
        panels,
        caption=f"Medians over draws; the brightest cells of the right panel are not found in {steps:.0f} steps. The fit hardly "
        "feels the coherence, the recovery does.",
    )


CLAIM = Claim(
    kind="figure",
    title="Maps of fit and recovery",
    says="The delay between fit and recovery grows with the share of measurements that read one entry each and falls with "
    "the number of measurements.",
    source="beyond_l2, figure 28",
    simulation=COHERENT,
    refer=refer,
    judge=judge,
    draw=draw,
    least={"coherence": 2, "n": 2},
    control=Control(
        "one plain row at most",
        changes={"coherence": (0.0, 0.01, 0.03)},
        breaks=("delay at the largest coherence over that at the least, the median, the least over numbers of rows",),
    ),
    seconds={"quick": 20, "paper": 200},
)
