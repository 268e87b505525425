r"""Erratum: the bound of corollary 6 runs from $t_0$: $e^{-\lambda_rc(t_0)(t - t_0)}$, not $e^{-\lambda_rc(t_0)t}$."""

import numpy as np

from ...lab.settings.linear_net_flow import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .later import over_renewed


def judge(data, since) -> Evidence:
    """The loss after any time beside the bound, with its clock from that time or from the start."""
    worst = over_renewed(data, 1.0, since)
    return Evidence(
        holds=[
            at_most(
                "log of the loss over the bound, the largest over both times",
                max(float(part.max()) for part in worst),
                0,
                why="at t = t0 both sides are equal, and the rate stays above the guarantee after that",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The loss of one draw, with the bound renewed half way and as printed."""
    run = data.isel(tilt=0, away=0, near=0, ratio=0, imbalance=0, trial=0)
    at = run.sizes["t"] // 2
    first, time = run.isel(t=at), run.time.values[at:]
    whole = float(run.excess.isel(t=0))
    rate, level = float(first.guaranteed), float(first.excess) / whole
    return Drawing(
        [
            Panel(
                [
                    Line("loss", run.time.values, run.excess.values / whole),
                    Line("corrected", time, level * np.exp(-rate * (time - time[0])), role="theory"),
                    Line("printed", time, level * np.exp(-rate * time), role="control"),
                ],
                x=Axis("time"),
                y=Axis("loss over the first", scale="log"),
            )
        ],
        columns=1,
        caption="The bound of corollary 6 from the middle of a run. With the clock at the start, as printed, it lies "
        "below the loss at once.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The clock of corollary 6 starts at t0",
    says="After t0 the loss is at most exp(-lambda_r(X^T X) c(t0) (t - t0)) times that at t0; the printed exponent "
    "has t in the place of t - t0, which fails at t = t0 already.",
    source="min2021, corollary 6",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"since": 1.0},
    sizes={size: {"near": (1,), "ratio": (1.0,)} for size in ("smoke", "quick", "paper")},
    control=Control(
        "the printed form: the clock from the start",
        changes={"since": 0.0},
        breaks=("log of the loss over the bound, the largest over both times",),
    ),
    seconds={"quick": 12, "paper": 60},
)
