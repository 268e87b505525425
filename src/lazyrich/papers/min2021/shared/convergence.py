"""Exponential decay of the loss: what the claims on convergence share."""

from dataclasses import replace

import numpy as np

from ....claims.base import Reading, at_least, at_most
from ....claims.drawing import SERIES, Axis, Line, Panel
from ....claims.marks import log_axis

LOSS = log_axis(r"excess loss $\tilde L(t)/\tilde L(0)$")
RATE = log_axis("instantaneous rate")
NEAR_TARGET = {size: {"near": (1,), "ratio": (1.0,)} for size in ("smoke", "quick", "paper")}
"""Sizes of claims about initializations with a margin."""


def over_bound(data, rate):
    r"""$\log(L(t)/L(0)) + \mathrm{rate} \cdot t$ at all times but the first: positive where the bound is exceeded."""
    first = data.excess.isel(t=0, drop=True)
    return (np.log(data.excess / first) + rate * data.time).isel(t=slice(1, None))


def below_bound(data, rate, why) -> Reading:
    """The loss under its exponential bound at all times."""
    name = "log of the loss over its exponential bound, maximum"
    return at_most(name, over_bound(data, rate).max(), 0, key="loss", why=why)


def above_bound(data, rate, why) -> Reading:
    """The instantaneous rate above its lower bound at all times."""
    return at_least("instantaneous rate over its lower bound, minimum", (data.rate / rate).min(), 1, key="rate", why=why)


def guaranteed(data, rate, decades, why) -> Reading:
    """That there is a guarantee: its rate within so many decades of the initial one."""
    found, name = np.log10(rate / data.rate.isel(t=0)).min(), r"$\log_{10}$ of the guaranteed rate over the initial rate, minimum"
    return at_least(name, found, -decades, key="guarantee", why=why)


def without_margin(data, why) -> Reading:
    """That the initialization has no margin."""
    return at_most("initial margin, maximum", data.margin.isel(t=0).max(), 0, key="margin", why=why)


def loss_panel(runs, title, x=r"time $t$") -> Panel:
    """The loss of runs given as (name, run, guaranteed rate), beside $e^{-ct}$."""
    marks = []
    for role, (name, run, rate) in zip(SERIES, runs, strict=False):
        loss = (run.excess / run.excess.isel(t=0)).values
        bound = np.exp(-float(rate) * run.time.values)
        marks += [Line(name, run.time, loss, role=role), Line(f"bound, {name}", run.time, bound, role="theory")]
    low = min(float(mark.y.min()) for mark in marks[::2]) / 3
    return Panel(marks, Axis(x), replace(LOSS, low=low), title=title)


def rate_panel(runs, title, x=r"time $t$") -> Panel:
    """The instantaneous rate of runs given as (name, run, lower bound)."""
    marks = []
    for role, (name, run, rate) in zip(SERIES, runs, strict=False):
        bound = np.broadcast_to(rate, run.time.shape)
        marks += [Line(name, run.time, run.rate, role=role), Line(f"bound, {name}", run.time, bound, role="theory")]
    return Panel(marks, Axis(x), RATE, title=title)


def time_to(data, fraction):
    """When the loss first falls below this fraction of the initial one, interpolated in its logarithm; infinite if never."""
    logs, level = np.log(data.excess / data.excess.isel(t=0, drop=True)), np.log(fraction)
    shape = logs.isel(t=0, drop=True)
    pairs = zip(*(part.transpose(..., "t").values.reshape(-1, data.sizes["t"]) for part in (logs, data.time)), strict=True)
    found = [float(np.interp(-level, -fallen, time)) if fallen[-1] <= level else np.inf for fallen, time in pairs]
    return shape.copy(data=np.reshape(found, shape.shape))
