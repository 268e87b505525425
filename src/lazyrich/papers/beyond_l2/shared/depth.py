"""What claims on products of vectors share: distance from the edge, depths apart, shares of draws, and curves."""

import numpy as np

from ..base import Reading, at_least, at_most
from ..drawing import SERIES, Axis, Line, Panel, Scale

SOON, LATE = 0.6, 1.2  # recovery within these shares of the time of the fit is no delay


def far_from_edge(data) -> Reading:
    """Rate times sharpness along the way."""
    return at_most(
        "rate times sharpness along the way, the largest",
        data.edge.max(skipna=False),
        1.5,
        why="below 1 a step overshoots in no direction, and descent follows its flow; from 2 on it is unstable; it grows with "
        "the largest entry of the truth, and is 1.2 for one of four deviations",
    )


def single(data):
    """The runs of one factor; NaN where there are none."""
    return data.where(data.depth == 1)


def several(data):
    """The runs of two factors or more."""
    return data.where(data.depth > 1, drop=True).sortby("depth")


def most_rows(data):
    """The runs with the most measurements."""
    return data.sortby("n").isel(n=-1)


def half_rows(data, d: int):
    """The runs with half as many measurements as unknowns, or with the number that is nearest to it."""
    return data.sortby("n").sel(n=d / 2, method="nearest")


def one_factor(data, d: int) -> list[Reading]:
    """One factor misses the truth, started plainly or as the difference of two."""
    missed = 1 - data.n / d
    why = (
        "least squares misses 1 - N/n of the truth's square, with a deviation of 0.07 over draws for half of the rows and of "
        "0.03 for nine tenths"
    )
    return [
        at_least(
            "squared error of one factor at the end over 1 - N/n, the least",
            (single(data).recovery.isel(t=-1) ** 2 / missed).min(),
            0.4,
            why=why,
        ),
        at_least(
            "squared error of one factor at the end over 1 - N/n, as the difference of two that start alike, the least",
            (data.shallow**2 / missed).min(skipna=False),
            0.4,
            why=why,
        ),
    ]


def prompt(one) -> Reading:
    """Two factors: the truth is found with the data."""
    ratio = one.finds / one.fits
    return at_least(
        "share of draws that two factors find at 0.6 to 1.2 of the time of the fit, from half of the rows",
        ((ratio >= SOON) & (ratio <= LATE)).mean(),
        0.5,
        why="the paper: the delay is extremely small; five of six draws as a rule, four of six over twenty seeds; from a start "
        "that is not small none",
    )


def found(one):
    """Whether the truth was found."""
    return np.isfinite(one.finds)


def named(depth) -> str:
    """A depth in words."""
    return "one factor" if depth == 1 else f"{int(depth)} factors"


def chosen(depth):
    """Depths with a look of their own: as many as look apart, the last ones."""
    return list(zip(SERIES, depth.values[-len(SERIES) :], strict=False))


def curves(data, depth, n) -> list[Panel]:
    """Errors of one draw over time, a panel for each depth, for the fewest and the most measurements."""
    rows = dict(zip(("second", "measured"), (n.values.min(), n.values.max()), strict=True))
    panels = []
    for layers in depth.values:
        marks = []
        for role, count in rows.items():
            one = data.sel(depth=layers, n=count).isel(trial=0, t=slice(1, None))
            # A run that has stopped stays where it is.
            going = slice(np.flatnonzero(np.diff(one.train.values)).max(initial=0) + 2)
            marks += [
                Line(f"recovery, {int(count)} rows", one.steps.values[going], one.recovery.values[going], role=role),
                Line(f"fit, {int(count)} rows", one.steps.values[going], one.train.values[going], role="control"),
            ]
        panels.append(
            Panel(
                marks,
                x=Axis("steps", scale="log"),
                y=Axis("relative error", scale="log", low=1e-4),
                title=named(layers).capitalize(),
            )
        )
    return panels


def against_rows(part, depth, n, *, label: str, title: str, scale: Scale = "log", legend: bool = True) -> Panel:
    """The median over draws against the number of measurements, a line for each depth; what never happens is left out."""
    middle = part.median("trial")
    marks = []
    for role, layers in chosen(depth):
        y = middle.sel(depth=layers).values
        seen = np.isfinite(y)
        if seen.any():
            marks.append(Line(named(layers), n.values[seen], y[seen], role=role))
    return Panel(marks, x=Axis("measurements"), y=Axis(label, scale=scale), title=title, legend=legend)
