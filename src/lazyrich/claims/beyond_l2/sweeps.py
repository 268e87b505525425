"""Figures 13 to 24: three methods along sparsity and number of measurements; what their readings and drawings share."""

import numpy as np

from ..base import Evidence, Reading, at_least, at_most
from ..drawing import Axis, Drawing, Heat, Line, Panel, Points
from .memorization import fitted
from .phases import LATE, agreement, along_draws, at_fit, clear, clock, enough, judged
from .scaling import last_error

BIAS = {"Projected": ", shown from 1e-6 on"} | dict.fromkeys(("Subgradient", "Proximal"), " or of the penalty's bias")
FITS = {"Projected": ": the first step"} | dict.fromkeys(("Subgradient", "Proximal"), ", and theorem C.8's bound there")


def within_bound(data, *, rate, strength, d) -> list[Reading]:
    """Steps until near the least-squares answer along measured directions, over theorem C.8's, for N < n."""
    steps, bound = fitted(data, rate=rate, strength=strength, d=d)
    over = (steps / bound).where(data.share < 1)
    return [
        at_most("steps to fit over the bound, the largest", over.max(), 1, why="theorem C.8, no tolerance"),
        at_least(
            "steps to fit over the bound, the median",
            over.median(),
            0.1,
            why="tightness: the last digits are lost at the bound's pace; a start across many directions loses a factor of a few",
        ),
    ]


def at_once(data) -> Reading:
    """Projected descent fits the data with its first step."""
    return at_most(
        "steps until the data are fitted, the largest",
        data.fits.where(data.share < 1).max(),
        1,
        why="the projection is onto the interpolants",
    )


def at_rest(data, told, *, strength, level, reach, answer) -> Reading:
    """The last error beside that of theory's answer, where the slow flow has come to rest."""
    still = clear(told, strength, level) & (told["extinction"] < LATE * reach) & (data.share < 1)
    return at_most(
        "recovery error at the end less that of theory's answer, the farthest of runs that are at rest",
        abs(last_error(data) - told[answer]).where(still).max(),
        level,
        why="the slow flow ends at the least l1 norm, descent beside it by the penalty's bias and a step: a tenth of the "
        "level, and a few times that where the answer is not the truth",
    )


def times(data, told, *, rate, strength, level, reach, power) -> list[Reading]:
    """Slow times of recovery beside the flow's, and how they change with measurements and sparsity."""
    good = judged(told, strength=strength, level=level, reach=reach) & (data.share < 1)
    seen = data.finds.where(good)
    return [
        clock(data, told, good, rate=rate, strength=strength, power=power),
        at_most(
            "steps to find over those with fewer measurements, the median",
            (seen / seen.shift(share=1)).median(),
            0.9,
            why="with more measurements the least-squares answer is nearer to the truth and the way to it steeper",
        ),
        at_least(
            "logarithm of the steps to find over those of a sparser truth, the median",
            np.log(seen / seen.shift(sparsity=1)).median(),
            0,
            why="more entries are farther away, like the root of their number, and leave fewer directions to spare",
        ),
    ]


def region(data) -> Reading:
    """Truths of fewer entries are found with fewer measurements."""
    found = (data.finds < np.inf).mean([axis for axis in data.finds.dims if axis != "sparsity"])
    return at_least(
        "share of runs that find the truth, the sparsest less the densest",
        found.isel(sparsity=0) - found.isel(sparsity=-1),
        0.1,
        why="the number of measurements needed grows with the number of entries",
    )


def in_time(data, told, sound, *, rate, strength, level, reach, answer) -> Evidence:
    """Least squares once fitted, recovery when the slow flow says, and just where the truth has the least l1 norm."""
    good = judged(told, strength=strength, level=level, reach=reach) & (data.share < 1)
    return Evidence(
        sound=[*sound, enough(good)],
        holds=[
            at_fit(data, told, good),
            clock(data, told, good, rate=rate, strength=strength, power=1.0),
            agreement(data, told, strength=strength, level=level, reach=reach, answer=answer),
        ],
    )


def at_the_end(data, told, sound, *, strength, level, reach, answer) -> Evidence:
    """Which truths are found, the errors at rest, and how the region depends on the sparsity."""
    good = judged(told, strength=strength, level=level, reach=reach) & (data.share < 1)
    return Evidence(
        sound=[*sound, enough(good)],
        holds=[
            agreement(data, told, strength=strength, level=level, reach=reach, answer=answer),
            at_rest(data, told, strength=strength, level=level, reach=reach, answer=answer),
            region(data),
        ],
    )


def draw_curves(data, d, *, method: str) -> Drawing:
    """Errors of one draw in time: recovery above, training below, a column for each sparsity, a line for each N."""
    panels = []
    for curve, label in (("recovery", "recovery error"), ("train", "training error")):
        for sparsity in data.sparsity.values:
            lines = []
            for share in _few(data.share.values):
                one = data.sel(sparsity=sparsity, share=share).isel(trial=0)
                shown = one.step.values > 0
                lines.append(Line(f"N = {round(share * d)}", one.step.values[shown], one[curve].values[shown]))
            exact = curve == "train" and method == "Projected"
            y = Axis(label, scale="log", low=1e-17 if exact else None, high=1.0 if exact else None)
            panels.append(Panel(lines, x=Axis("steps", scale="log"), y=y, title=f"s = {int(sparsity)}"))
    return Drawing(
        panels,
        columns=data.sparsity.size,
        caption=f"{method} descent with a small l1 penalty, one draw. Above: the truth is found late, sooner with more "
        "measurements, or not at all with too few. Below: the data are fitted early, always.",
    )


def _few(shares):
    """At most five of them, spread out."""
    return shares[np.unique(np.linspace(0, len(shares) - 1, min(5, len(shares))).astype(int))]


def draw_fit(data, told, rate, strength, d, *, method: str) -> Drawing:
    """Steps to fit above, the error at the end below, a column for each sparsity."""
    n = np.round(data.share.values * d)
    steps, bound = fitted(data, rate=rate, strength=strength, d=d)
    last, said = last_error(data), np.maximum(told["missed"], 0.0 if method == "Projected" else strength * told["bias"])
    x, above, below = Axis("measurements", low=0, high=float(n.max()) + 1), [], []
    for sparsity in data.sparsity.values:
        limit = Line("bound", n, bound.sel(sparsity=sparsity).median("trial").values, role="theory")
        above.append(
            Panel(
                [along_draws("descent", n, steps.sel(sparsity=sparsity)), *([limit] if method != "Projected" else [])],
                x=x,
                y=Axis("steps to fit the data", scale="log", low=0.5),
                title=f"s = {int(sparsity)}",
            )
        )
        below.append(
            Panel(
                [
                    Points("descent", n, last.sel(sparsity=sparsity).median("trial").values),
                    Line(
                        "theory", n, said.sel(sparsity=sparsity).median("trial").clip(1e-6, None).values, role="theory"
                    ),
                ],
                x=x,
                y=Axis("recovery error at the end", scale="log", low=5e-7, high=2.0),
            )
        )
    return Drawing(
        [*above, *below],
        columns=len(above),
        caption=f"{method} descent, medians over draws. Above: steps until near the least-squares answer along measured "
        f"directions{FITS[method]}. Below: the error at the end beside that of the least l1 norm{BIAS[method]}.",
    )


def draw_times(data, told, rate, strength, d, *, method: str) -> Drawing:
    """Steps until the truth is found against measurements, beside the slow flow's, a panel for each sparsity."""
    n = np.round(data.share.values * d)
    panels = []
    for sparsity in data.sparsity.values:
        seen = data.finds.sel(sparsity=sparsity)
        said = (told["finds"].sel(sparsity=sparsity) / (rate * strength)).where(seen < np.inf)
        middle = along_draws("slow flow", n, said)
        panels.append(
            Panel(
                [along_draws("descent", n, seen), Line("slow flow", middle.x, middle.y, role="theory")],
                x=Axis("measurements", low=0, high=float(n.max()) + 1),
                y=Axis("steps until the truth is found", scale="log"),
                title=f"s = {int(sparsity)}",
            )
        )
    return Drawing(
        panels,
        columns=len(panels),
        caption=f"{method} descent, medians over the draws in which the truth is found by the horizon, bars to the quartiles, "
        "and the slow flow's time over rate x strength.",
    )


def draw_map(data, told, d, *, method: str) -> Drawing:
    """The recovery error at the end over sparsity and measurements, beside that of the least l1 norm."""
    n, s = np.round(data.share.values * d), data.sparsity.values
    both = {f"{method} descent": last_error(data), "least l1 norm": told["missed"].clip(1e-6, None)}
    return Drawing(
        [
            Panel(
                [
                    Heat(
                        name,
                        n,
                        s,
                        part.median("trial").transpose("sparsity", "share").values,
                        scale="log",
                        low=1e-5,
                        high=1.0,
                    )
                ],
                x=Axis("measurements"),
                y=Axis("entries of the truth"),
                title=name,
            )
            for name, part in both.items()
        ],
        caption="Relative errors of recovery, medians over draws: what descent reaches by the horizon, and what the least l1 "
        "norm gives without any training.",
    )
