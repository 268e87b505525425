r"""Theorem C.12: all entries are below $\alpha$ after $\lfloor\|b\|_\infty/\alpha\rfloor$ updates by signs."""

import numpy as np

from ...lab.settings.sign_steps import SIMULATION
from ..axes import places
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Rule

POWERS = (1.0, 2.0, 4.0)


def judge(data, d, log_step, share) -> Evidence:
    """The largest entry at the time named and one update earlier, and all norms from then on."""
    size = abs(data.w) / 2.0**log_step
    counts = places(size, "t")
    named = np.floor(share * data.ratio.max("d"))
    largest = size.max("d")
    after = largest.where(counts >= named)
    before = largest.where(counts == named - 1).max("t")
    norms = [((size**p).sum("d") ** (1 / p) / d ** (1 / p)).where(counts >= named).max() for p in POWERS]
    return Evidence(
        holds=[
            at_most(
                "largest entry over the step from the time named on",
                after.max(),
                1 - 1e-12,
                why="the lemma for every entry: strictly below, by a part of 2^-20 at least",
            ),
            at_least(
                "largest entry over the step one update before",
                before.where(named > 0).min(),
                1,
                why="the other half of `if and only if`",
            ),
            at_most(
                "p-norm over alpha n^(1/p) from then on, the largest over p = 1, 2, 4",
                max(float(one) for one in norms),
                1,
                why="entries below alpha, counted",
            ),
        ],
    )


def draw(data, d, log_step) -> Drawing:
    """Norms of one draw in time, each over its bound."""
    one = abs(data.isel(trial=0, log_step=0, whole=0).w).transpose("t", "d").values / 2.0 ** float(log_step.values[0])
    named = float(np.floor(data.isel(trial=0, log_step=0, whole=0).ratio.max()))
    updates = np.arange(one.shape[0])
    lines = [Line(f"p = {p:g}", updates, (one**p).sum(1) ** (1 / p) / d ** (1 / p)) for p in POWERS]
    return Drawing(
        [
            Panel(
                [*lines, Line("p = inf", updates, one.max(1)), Rule("bound", 1.0), Event("floor(|b|/alpha)", named)],
                x=Axis("updates"),
                y=Axis("p-norm over alpha n^(1/p)", low=0.0),
            )
        ],
        columns=1,
        caption="Descent on the l1 norm alone, one draw: all norms are within their bounds when the largest entry is.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Signs bring a vector within a step",
    says="Under b <- b - alpha sign(b) the largest entry is below alpha after floor(|b|_inf/alpha) updates and not before; from "
    "then on |b|_p <= alpha n^(1/p) for every p.",
    source="beyond_l2, theorem C.12",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"share": 1.0},
    control=Control(
        "half as many updates",
        changes={"share": 0.5},
        breaks=("largest entry over the step from the time named on",),
    ),
    seconds={"quick": 8, "paper": 10},
)
