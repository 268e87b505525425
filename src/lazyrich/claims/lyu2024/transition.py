"""What figures 1a and 1b share: theory's window for the transition, the check of the closed form, and the panel."""

import numpy as np

from ...predictors.timescale import LINGERS, held_margin, kernel_exit, per_coordinate
from ..base import Reading, at_least, at_most
from ..drawing import Axis, Band, Event, Line, Panel, Rule


def exit_time(told, *, d, alpha, decay):
    r"""When the kernel phase ends: $2\kappa(t) = \|w\|_\infty$ with $\kappa = \alpha_c^2 e^{-2\lambda t}$, from theory alone.

    On the kernel's slow manifold $w = q\,w_2$ with $w_2$ of margin 1, and the force that holds it against the decay
    gives $q$ at the exit. Source: lyu2024, section 3.2.3.
    """
    early = told["early"]
    top = abs(early.effective).max("d")
    size = per_coordinate(alpha, convention="norm", parameters=2 * d)
    return kernel_exit(size, decay=decay, top=held_margin(top, early.value, decay=decay) * top)


def window(told, *, d, alpha, decay):
    """From the end of the kernel phase, `LINGERS` until its direction is lost, then growth at rate 2 decay to the last size."""
    leaves = exit_time(told, d=d, alpha=alpha, decay=decay)
    early, late = told["early"].effective, told["late"].effective
    return leaves, leaves + (LINGERS + np.log(abs(late).max("d") / abs(early).max("d")) / 2) / decay


def instruments(data, leaves, *, points, decay) -> list[Reading]:
    """The closed form of the accuracy against fresh samples, and whether there is a kernel phase to leave."""
    error = (data.closed * (1 - data.closed) / (points * data.sizes["trial"])) ** 0.5
    misfit = abs((data.sampled - data.closed).mean("trial")) / error.max("trial").clip(min=1e-3)
    return [
        at_most(
            "closed form against fresh samples, in standard errors",
            misfit.max(),
            5,
            why="four moments: one draw in a million is further off by chance",
        ),
        at_least(
            "length of the kernel phase, in units of 1/decay",
            (leaves * decay).min(),
            0.25,
            why="a start too small for a kernel phase tests nothing; the plateau is read at 0.05",
        ),
    ]


def panel(data, told, *, d, alpha, decay) -> Panel:
    """Accuracies against time, with theory's early and late answers and the two times it names."""
    shown = data.isel(t=slice(1, None))
    time = shown.time.isel(trial=0).values
    leaves = float(exit_time(told, d=d, alpha=alpha, decay=decay).mean())
    return Panel(
        [
            Line("train accuracy", time, shown.train.median("trial").values, role="second"),
            Band("test accuracy, all draws", time, shown.test.min("trial").values, shown.test.max("trial").values),
            Line("test accuracy", time, shown.test.median("trial").values),
            Rule("largest l1 margin", float(told["late_accuracy"].mean())),
            Rule("largest l2 margin (kernel)", float(told["early_accuracy"].mean())),
            Event("kernel phase ends", leaves),
            Event("log(alpha)/decay", float(np.log(alpha) / decay), role="control"),
        ],
        x=Axis("time", unit="rate x steps", scale="log"),
        y=Axis("accuracy", low=0.45, high=1.03),
    )
