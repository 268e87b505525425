"""What claims on the ReLU student share: times of fit and fall, their powers, readings and panels."""

import numpy as np

from ...dynamics.optimizers import NAMES
from ...lab.settings.teacher_student import PENALTIES, USUAL
from ..base import Control, Reading, at_least, at_most, near
from ..drawing import SERIES, Axis, Line, Panel, Points, Rule, Slope

FELL = "share of runs whose test error falls to a fifth of that at the start"
POWER = "power of rate x strength in the steps until the test error falls, the farthest"
WITHOUT = Control("no penalty, for as many steps", changes={"pull": 0.0, "penalty": (0,)}, breaks=(FELL, POWER))


def instrument(data, method) -> list[Reading]:
    """That descent is near its flow, and that the penalty does not pass through Adam."""
    return [
        at_most(
            "rate x sharpness, the largest",
            data.edge.max(skipna=False),
            1,
            why="below one no direction of the loss is stepped over: descent follows its flow",
        ),
        at_most(
            "penalties that pass through Adam",
            float(NAMES[method] == "adam"),
            0,
            why="the law is of plain steps; Adam divides a penalty in its slope by the penalty's own size",
        ),
    ]


def fell(data) -> Reading:
    """That all runs come to their end."""
    return at_least(
        FELL,
        np.isfinite(data.falls).mean(),
        1,
        why="by the horizon the penalty's work is done; without a penalty about half of the error stays",
    )


def late(data) -> Reading:
    """That the fall comes long after the fit."""
    return at_least(
        "steps until the test error falls over steps until the data are fitted, the least",
        (data.falls / data.fits).min(skipna=False),
        5,
        why="one takes some multiples of 1/(rate x curvature), the other a time of order one over rate x strength",
    )


def unmoved(data, rate) -> Reading:
    """That the fit does not wait for the penalty."""
    fast = rate * data.fits
    return at_most(
        "largest over smallest of rate x steps until the data are fitted, less one, the farthest draw",
        (fast.max(("rate", "strength")) / fast.min(("rate", "strength"))).max(skipna=False) - 1,
        0.25,
        why="the flow of the loss alone, up to steps of 0.8 of the largest curvature and terms of the order of the strength",
    )


def power(times, clocks):
    """The power of a clock in times, from its slowest to its fastest run, draw by draw; infinite where there is no time."""
    flat = times.stack(run=("rate", "strength")).transpose(..., "run")
    pace = np.log((clocks + 0 * times).stack(run=("rate", "strength")).transpose(..., "run"))
    known = np.isfinite(flat).all("run")
    log = np.log(flat.where(known, 1.0))
    x = pace - pace.mean("run")
    return ((x * log).sum("run") / (x**2).sum("run")).where(known, np.inf)


def inverse(data, rate, strength, clock=1.0) -> Reading:
    """That the fall takes one over rate x strength."""
    found = power(data.falls, rate * strength**clock)
    return near(
        POWER,
        found.values.ravel()[np.argmax(abs(found.values.ravel() + 1))],
        -1,
        0.05,
        why="one slow flow for all runs of a draw, so T/(rate x strength) steps; terms of the order of the strength change T by "
        "a few percent over a factor of four",
    )


def curves(data, rate, strength, at: int) -> list[Panel]:
    """Errors of the first draw against steps, for the slowest, a middle and the fastest run."""
    which = int(data.penalty.values[at])
    one = data.isel(trial=0, penalty=at)
    marks = {"train": [], "test": []}
    for role, (i, j) in zip(SERIES, [(0, 0), (0, -1), (-1, -1)], strict=True):
        run = one.isel(rate=i, strength=j)
        shown = run.step.values > 0
        name = f"rate {float(rate[i]):g}, strength {float(strength[j]) * USUAL[which]:g}"
        for part, lines in marks.items():
            lines.append(Line(name, run.step.values[shown], run[part].values[shown], role=role))
    x, y = Axis("steps", scale="log"), Axis("error / variance of the teacher", scale="log")
    return [
        Panel(marks["train"], x=x, y=y, title=f"Training, {PENALTIES[which]} penalty", legend=False),
        Panel([*marks["test"], Rule("best constant", 1.0)], x=x, y=y, title=f"Test, {PENALTIES[which]} penalty"),
    ]


def delays(data, rate, strength, at: int) -> Panel:
    """Steps until the test error falls, over all draws, and until the data are fitted, against rate x strength."""
    which = int(data.penalty.values[at])
    one = data.isel(penalty=at)
    product = np.outer(rate.values, strength.values * USUAL[which]).ravel()

    def middle(a):
        return a.transpose("trial", "rate", "strength").median("trial").values.ravel()

    falls, fits = middle(one.falls), middle(one.fits)
    first = int(np.argmin(product))
    return Panel(
        [
            Points("test error falls", product, falls),
            Points("data fitted", product, fits, role="second"),
            Slope("power -1", [product.min(), product.max()], (float(product[first]), float(falls[first])), -1),
        ],
        x=Axis("rate x strength", scale="log"),
        y=Axis("steps", scale="log"),
        title="Median draw",
    )
