"""Corollary 6: the guarantee may be renewed at any time, and tends to what target and imbalance say."""

import numpy as np

from ...lab.settings.linear_net_flow import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .later import over_renewed


def gap(data):
    """How far the guarantee is from its limit, in units of twice the error over the target's least singular value."""
    last = data.isel(t=-1)
    error = np.sqrt(2 * last.excess)
    return (1 - last.guaranteed / last.asymptotic) / (2 * error / (last.margin + error))


def judge(data, factor) -> Evidence:
    """The loss after any time beside the guarantee of that time, and the limit of the guarantee."""
    worst = over_renewed(data, factor, 1.0)
    return Evidence(
        holds=[
            at_most(
                "log of the loss over the bound renewed at any time, the largest",
                max(float(part.max()) for part in worst),
                0,
                why="theorem 3 from every later start; the rate stays above the guarantee of the moment",
            ),
            at_most(
                "guarantee short of its limit, over twice the relative error, the largest",
                gap(data).max(),
                1,
                why="it rises between the first and the second power of the margin, which is short of its limit by "
                "the error",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Rate and guarantee of three draws over the limit."""
    one = data.isel(tilt=0, away=0, near=0, ratio=0, imbalance=-1)
    marks = []
    for at, role in zip(range(min(3, one.sizes["trial"])), ("measured", "second", "control"), strict=False):
        run = one.isel(trial=at)
        marks += [
            Line(f"rate, draw {at + 1}", run.time.values, (run.rate / run.asymptotic).values, role=role),
            Line(f"guarantee, draw {at + 1}", run.time.values, (run.guaranteed / run.asymptotic).values, role="theory"),
        ]
    return Drawing(
        [Panel(marks, x=Axis("time"), y=Axis("over the limit of the guarantee", scale="log"))],
        columns=1,
        caption="Starts near the target, white inputs, imbalanced layers. The guarantee of the moment rises to its "
        "limit, the rate sinks towards it and never below.",
    )


CLAIM = Claim(
    kind="corollary",
    title="The guarantee can be renewed at any time",
    says="If c(t0) > 0, then L(t) - L* <= exp(-lambda_r(X^T X) c(t0) (t - t0)) (L(t0) - L*) for t >= t0; as the loss "
    "vanishes c tends to its value with the singular values of the target in the place of the margin.",
    source="min2021, corollary 6 and equation 22",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 1.0},
    sizes={size: {"near": (1,), "ratio": (1.0,)} for size in ("smoke", "quick", "paper")},
    control=Control(
        "twice the rate",
        changes={"factor": 2.0},
        breaks=("log of the loss over the bound renewed at any time, the largest",),
    ),
    seconds={"quick": 12, "paper": 60},
)
