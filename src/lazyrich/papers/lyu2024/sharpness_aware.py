r"""1-SAM: steps taken uphill first carry a fitted net to the sparse answer, on the clock rate $\times$ radius$^2\times$ steps."""

import jax.random as jr
import numpy as np

from ...dynamics import OneSAM
from ...lab import Param, Simulation
from ...lab.settings.label_noise import PARAMS, RETURNS, compared, noisy_curves, pose, step_counts, told_curves
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from ..labelled import farthest
from .drift import recovers
from .label_noise import refer


def simulate(key, problem, *, d, alpha, rate, radius, span, moments, draws):
    r"""Losses of 1-SAM at rate$\,$radius$^2\,$steps up to `span`, beside the drift that theory says."""
    pace = rate * radius**2
    counts = step_counts(span / pace, moments)
    told = told_curves(problem, d=d, alpha=alpha, slow=counts * pace)
    keys = jr.split(jr.fold_in(key, 2), draws)
    seen = noisy_curves(
        problem, lambda key: OneSAM(key, rate=rate, radius=radius), keys, d=d, alpha=alpha, counts=counts
    )
    # Where the net fits, samples pull no more: nothing is added to the losses to the first order.
    return compared(counts * pace, told, seen, 0.0)


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        *PARAMS,
        Param("rate", (2e-3, 5e-4), (1e-3, 2.5e-4), smoke=(4e-3, 2e-3), low=1e-6, high=0.1, unit="of each step"),
        Param("radius", (0.2, 0.1), (0.1, 0.05), smoke=(0.4, 0.2), low=1e-4, high=1.0, unit="uphill"),
        Param("span", 0.55, low=0.01, high=10.0, unit="rate x radius^2 x steps at the end"),
    ],
    returns=RETURNS,
)


def judge(data, told, rate, radius, span, power) -> Evidence:
    """Half the loss: in how many steps, by rate and radius, and when by theory; the whole curve; where it ends."""
    first, last = int(np.argmax(rate.values)), int(np.argmin(rate.values))
    wide, fine = int(np.argmax(radius.values)), int(np.argmin(radius.values))
    half, theory = (part.isel(m=1) for part in (data.passes, data.told_passes))
    steps = (half / (rate * radius**2)).median("trial")
    by_radius = np.log(steps.isel(radius=fine) / steps.isel(radius=wide)) / np.log(radius[wide] / radius[fine]).item()
    by_rate = np.log(steps.isel(rate=last) / steps.isel(rate=first)) / np.log(rate[first] / rate[last]).item()
    ahead = (1 - half / theory).median("trial").isel(radius=fine)
    off = (data.test - data.told).where(data.clock >= 0.01 * span).mean("trial").isel(rate=last, radius=fine)
    return Evidence(
        sound=[
            recovers(told),
            at_least(
                "share of runs that pass every level",
                (data.passes < np.inf).all("m").mean(),
                1,
                why="a time of half the loss needs the fall",
            ),
        ],
        holds=[
            at_most(
                "time to fit over the whole time",
                (data.fits / span).isel(radius=fine).median("trial").max(),
                0.01,
                why="fitted in n/(rate x curvature) steps, of the 1/(rate x radius^2) that the drift takes",
            ),
            near(
                "power of 1/radius in the steps to half the loss",
                farthest(by_radius, power),
                power,
                0.2,
                why="the drift's pace is rate x radius^2; the next order, radius over weights of 0.5, is 0.1 of the time",
            ),
            near(
                "power of 1/rate in the steps to half the loss",
                farthest(by_rate, 1),
                1,
                0.15,
                why="the pace is in proportion to the rate; at the first one the net is ahead by up to a tenth of the time",
            ),
            near(
                "time of half the loss over that of theory, at the last rate and radius",
                (half / theory).median("trial").isel(rate=last, radius=fine),
                1,
                0.1,
                why="residuals that do not rest speed the drift up by a part of rate x curvature, here 0.06",
            ),
            at_most(
                "how far ahead of theory, at the last rate over the first",
                ahead.isel(rate=last) / ahead.isel(rate=first),
                0.6,
                why="in proportion to the rate: a quarter",
            ),
            at_most(
                "population loss against theory, root mean square over time",
                (off**2).mean("t") ** 0.5,
                0.03,
                why="ahead by a twentieth of the time of half the loss, 0.01, on slopes of up to 3",
            ),
            at_most(
                "population loss at the end, the median",
                data.test.isel(t=-1, rate=last, radius=fine).median("trial"),
                0.05,
                why="the sparse truth to 5%",
            ),
        ],
    )


def draw(data, rate, radius) -> Drawing:
    """One draw of the data: losses against steps, and the same curves on the clock of the drift."""
    panels = []
    for title, unit in (("In steps", False), ("On the clock of the drift: one curve", True)):
        marks = []
        pairs = [(rate.values.max(), radius.values.max()), (rate.values.min(), radius.values.min())]
        for at, (step, size) in enumerate(pairs):
            one = data.sel(rate=step, radius=size).isel(trial=0, t=slice(1, None))
            x = (one.clock if unit else one.clock / (step * size**2)).values
            name = f"population loss, rate {step:g}, radius {size:g}"
            marks.append(Line(name, x, one.test.values, role=SERIES[at]))
        theory = data.isel(trial=0, rate=-1, radius=-1, t=slice(1, None))
        if unit:
            marks.append(Line("drift", theory.clock.values, theory.told.values, role="theory"))
        settled = float(data.told.isel(trial=0, rate=0, radius=0, t=0))
        axis = Axis("rate x radius^2 x steps") if unit else Axis("steps", scale="log")
        y = Axis("population loss", low=0.0, high=1.05)
        panels.append(Panel([*marks, Rule("limit of the gradient flow", settled)], x=axis, y=y, title=title))
    return Drawing(
        panels=panels,
        caption="Steps along the slope a fixed radius uphill move a fitted net to flatter interpolants, at a pace of rate x "
        "radius^2: along the drift that label noise causes, without its flutter, to the sparse truth.",
    )


CLAIM = Claim(
    kind="statement",
    title="Grokking by sharpness-aware steps",
    says="With the slope of one sample taken a fixed radius uphill (1-SAM) a diagonal net fits at once and then drifts to "
    "flatter interpolants: the population loss falls to that of the sparse truth after some 1/(rate x radius^2) steps, along the "
    "curve that label noise follows.",
    source="lyu2024, appendix B.2",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"power": 2.0},
    least={"rate": 2, "radius": 2},
    control=Control(
        "a pace in proportion to the radius, not to its square",
        changes={"power": 1.0},
        breaks=("power of 1/radius in the steps to half the loss",),
    ),
    seconds={"quick": 15, "paper": 250},
)
