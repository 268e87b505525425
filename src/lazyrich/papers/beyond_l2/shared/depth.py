"""What the claims on products of factors share: selections of runs, readings, and drawings."""

import numpy as np

from ....claims.base import Reading, at_least, at_most
from ....claims.drawing import SERIES, Axis, Drawing, Line, Panel, Scale
from ....claims.marks import log_axis
from .phases import STEPS

SOON, LATE = 0.6, 1.2  # recovery within these multiples of the memorization time counts as no delay


def far_from_edge(data) -> Reading:
    """Learning rate times sharpness along the trajectory."""
    return at_most(
        "learning rate times sharpness along the trajectory, maximum",
        data.edge.max(skipna=False),
        1.5,
        key="edge",
        why="below 1 gradient descent follows its flow, from 2 on it is unstable; 1.2 where an entry is 4 standard deviations",
    )


def single(data):
    """The runs with one factor; NaN where there are none."""
    return data.where(data.depth == 1)


def several(data):
    """The runs with two factors or more."""
    return data.where(data.depth > 1, drop=True).sortby("depth")


def half_rows(data, d: int):
    """The runs with half as many measurements as unknowns, or with the number closest to it."""
    return data.sortby("n").sel(n=d / 2, method="nearest")


def most_rows(data):
    """The runs with the most measurements."""
    return data.sortby("n").isel(n=-1)


def recovers(count: str, one, target: int | float, why: str) -> Reading:
    """How often two factors, or another number in words, recover the ground truth from half of the measurements."""
    name = f"fraction of trials that {count} factors recover, $N = n/2$"
    return at_least(name, np.isfinite(one.generalization).mean(), target, key=f"{count}_recover", why=why)


def one_never(data, limit: str) -> Reading:
    """One factor recovers the ground truth in no trial."""
    alone = np.isfinite(data.generalization.where(data.depth == 1, drop=True)).mean()
    return at_most("fraction of trials that one factor recovers", alone, 0, key="one_recovers", why=f"it converges to {limit}")


def one_factor(data, d: int) -> list[Reading]:
    """One factor does not recover the ground truth, initialized plainly or as the difference of two equal ones."""
    name, unexplained = "squared final error of one factor over $1 - N/n$", 1 - data.n / d
    plain = (single(data).recovery.isel(t=-1) ** 2 / unexplained).min()
    difference = (data.shallow**2 / unexplained).min(skipna=False)
    two = f"{name}, as the difference of two with equal initialization, minimum"
    why = "least squares leaves $1 - N/n$ of the squared norm; standard deviation 0.07 at $N = n/2$, 0.03 at $N = 0.9n$"
    return [
        at_least(f"{name}, minimum", plain, 0.4, key="one_error", why=why),
        at_least(two, difference, 0.4, key="difference_error", why=why),
    ]


def prompt(one) -> Reading:
    """Two factors recover the ground truth when they fit the data."""
    ratio = one.generalization / one.memorization
    return at_least(
        "fraction of trials in which two factors recover at 0.6 to 1.2 of the memorization time, $N = n/2$",
        ((ratio >= SOON) & (ratio <= LATE)).mean(),
        0.5,
        key="no_delay",
        why="the paper: a tiny delay; five of six trials, at worst four over twenty seeds; none if initialization is not small",
    )


def error_at_fit(which: str, one, level: int | float, times: int | float, why: str) -> Reading:
    """The error at memorization is still so many times the level."""
    error = one.at_fit.median() / level
    return at_least(f"error at memorization over the level, {which}, median", error, times, key="error_at_memorization", why=why)


def delay(which: str, one, why: str) -> Reading:
    """The ground truth is recovered long after memorization."""
    ratio = (one.generalization / one.memorization).median()
    return at_least(f"recovery time over memorization time, {which}, median", ratio, 4, key="delay", why=why)


def named(depth) -> str:
    """A depth in words."""
    return "one factor" if depth == 1 else f"{int(depth)} factors"


def chosen(depth):
    """The deepest depths, as many as there are roles of curves."""
    return list(zip(SERIES, depth.values[-len(SERIES) :], strict=False))


def draw_trial(data, depth, n, *, caption: str) -> Drawing:
    """Errors of one trial over time, a panel for each depth, with the fewest and the most measurements."""
    rows = dict(zip(("second", "measured"), (n.values.min(), n.values.max()), strict=True))
    panels = []
    for layers in depth.values:
        marks = []
        for role, count in rows.items():
            one = data.sel(depth=layers, n=count).isel(trial=0, t=slice(1, None))
            # A run that has stopped keeps its last value.
            going = slice(np.flatnonzero(np.diff(one.train.values)).max(initial=0) + 2)
            steps = one.steps.values[going]
            marks += [
                Line(f"recovery, $N$ = {int(count)}", steps, one.recovery.values[going], role=role),
                Line(f"training, $N$ = {int(count)}", steps, one.train.values[going], role="control"),
            ]
        panels.append(Panel(marks, STEPS, log_axis("relative error", low=1e-4), title=named(layers).capitalize()))
    return Drawing(panels, columns=3, caption=f"One trial {caption}")


def draw_errors(data, depth, n, fit, *, caption: str) -> Drawing:
    """Median recovery errors at memorization and at the end."""
    fitted = data.at_fit.where(data.train.min("t") <= fit)
    end = data.recovery.isel(t=-1)
    return Drawing(
        [
            _against_n(fitted, depth, n, label="relative error", title="Recovery error at memorization"),
            _against_n(end, depth, n, label="relative error", title="Final recovery error", legend=False),
        ],
        caption=f"Medians over trials against the number of measurements, {caption}",
    )


def draw_times(data, depth, n, *, scale: Scale, caption: str) -> Drawing:
    """Median memorization and recovery times, and their ratio."""
    ratio = (data.generalization / data.memorization).where(np.isfinite(data.memorization), np.inf)
    return Drawing(
        [
            _against_n(data.memorization, depth, n, label="steps", title="Memorization time"),
            _against_n(data.generalization, depth, n, label="steps", title="Recovery time", legend=False),
            _against_n(ratio, depth, n, label="recovery / memorization", title="Delay", scale=scale, legend=False),
        ],
        columns=3,
        caption=f"Medians over trials against the number of measurements, {caption} What most trials never reach is left out.",
    )


def _against_n(part, depth, n, *, label: str, title: str, scale: Scale = "log", legend: bool = True) -> Panel:
    """The median over trials against the number of measurements, a line for each depth; what never happens is left out."""
    middle = part.median("trial")
    marks = []
    for role, layers in chosen(depth):
        y = middle.sel(depth=layers).values
        seen = np.isfinite(y)
        if seen.any():
            marks.append(Line(named(layers), n.values[seen], y[seen], role=role))
    return Panel(marks, Axis("measurements $N$"), Axis(label, scale=scale), title=title, legend=legend)
