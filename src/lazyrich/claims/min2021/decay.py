"""The fall of the loss beside an exponential: what the convergence claims share."""

import numpy as np

from ..drawing import SERIES, Axis, Line, Panel


def over_bound(data, rate):
    r"""$\log\bigl(L(t)/(L(0)e^{-\text{rate}\,t})\bigr)$ at all times but the first: positive where the bound is exceeded."""
    first = data.excess.isel(t=0, drop=True)
    return (np.log(data.excess / first) + rate * data.time).isel(t=slice(1, None))


def fall(runs, title, x="time") -> Panel:
    """The loss of some runs, each with its name and the rate that is guaranteed to it."""
    marks = []
    for role, (name, run, rate) in zip(SERIES, runs, strict=False):
        loss = (run.excess / run.excess.isel(t=0)).values
        bound = np.exp(-float(rate) * run.time.values)
        marks += [
            Line(name, run.time.values, loss, role=role),
            Line(f"bound, {name}", run.time.values, bound, role="theory"),
        ]
    low = min(float(mark.y.min()) for mark in marks[::2]) / 3
    return Panel(marks, x=Axis(x), y=Axis("loss over the first", scale="log", low=low), title=title)


def rates(runs, title, x="time") -> Panel:
    """The momentary rate of some runs with the bound below on it."""
    marks = []
    for role, (name, run, rate) in zip(SERIES, runs, strict=False):
        marks += [
            Line(name, run.time.values, run.rate.values, role=role),
            Line(f"bound, {name}", run.time.values, np.broadcast_to(rate, run.time.shape), role="theory"),
        ]
    return Panel(marks, x=Axis(x), y=Axis("rate of the loss", scale="log"), title=title)


def time_to(data, share):
    """When the loss first falls to this share of the first, between the times by its logarithm; infinite if never."""
    logs = np.log(data.excess / data.excess.isel(t=0, drop=True))
    shape = logs.isel(t=0, drop=True)
    pairs = zip(
        *(part.transpose(..., "t").values.reshape(-1, data.sizes["t"]) for part in (logs, data.time)), strict=True
    )
    found = [
        float(np.interp(-np.log(share), -fallen, time)) if fallen[-1] <= np.log(share) else np.inf
        for fallen, time in pairs
    ]
    return shape.copy(data=np.reshape(found, shape.shape))
