r"""Lemma C.11: $b\leftarrow b-\alpha\operatorname{sign}b$ is below $\alpha$ after exactly $\lfloor|b|/\alpha\rfloor$ updates."""

import numpy as np

from ...lab.settings.sign_steps import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Rule


def judge(data, log_step, strictly) -> Evidence:
    """The first update after which each entry is within the step, what it does then, and where it ends."""
    size, step = abs(data.w), 2.0**log_step
    within = size < step if strictly else size <= step
    first = within.argmax("t")
    late = data.w.isel(t=slice(-4, None))
    ends = (abs(late) == 0).all("t")
    return Evidence(
        holds=[
            at_most(
                "updates until an entry is within the step, less floor(|b|/alpha), the farthest",
                abs(first - np.floor(data.ratio)).max(),
                0,
                why="counted; the numbers are exact in binary",
            ),
            at_most(
                "entries that leave the step again",
                _left(within),
                0,
                why="from |b| < alpha the next is alpha - |b|, with the other sign",
            ),
            at_most(
                "change over two updates at the end, the largest over the step",
                (abs(late.isel(t=-1) - late.isel(t=-3)) / step).max(),
                0,
                why="two updates of different sign cancel exactly",
            ),
            at_most(
                "entries that end at zero and are no multiples of the step, or the other way round",
                (ends != data.multiple).sum(),
                0,
                why="zero is reached from multiples of the step, and kept since sign(0) = 0",
            ),
        ],
    )


def _left(within):
    """How many entries are within the step at some time and not at a later one."""
    before = within.isel(t=slice(None, -1)).values
    after = within.isel(t=slice(1, None)).values
    return int((before & ~after).sum())


def draw(data, log_step) -> Drawing:
    """A few entries in time, in units of the step."""
    one = data.isel(trial=0, log_step=0)
    one = one.isel(whole=one.sizes["whole"] // 2)
    walks = one.w.transpose("t", "d").values / 2.0 ** float(log_step.values[0])
    updates = np.arange(walks.shape[0])
    shown = np.linspace(0, walks.shape[1] - 1, 5).astype(int)
    return Drawing(
        [
            Panel(
                [*(Line(f"entry {k}", updates, walks[:, k]) for k in shown), Rule("step", 1.0), Rule("- step", -1.0)],
                x=Axis("updates"),
                y=Axis("entry over the step"),
                legend=False,
            )
        ],
        columns=1,
        caption="Entries walk to zero at the pace of one step an update; those that are no multiples of it then hop about zero.",
    )


CLAIM = Claim(
    kind="lemma",
    title="The walk of a sign",
    says="b <- b - alpha sign(b) has |b| < alpha after floor(|b|/alpha) updates and not before, from then on moves between two "
    "values, and ends at zero if and only if b is a multiple of alpha.",
    source="beyond_l2, lemma C.11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"strictly": True},
    control=Control(
        "|b| <= alpha, as printed: multiples of alpha are there one update earlier",
        changes={"strictly": False},
        breaks=("updates until an entry is within the step, less floor(|b|/alpha), the farthest",),
    ),
    seconds={"quick": 8, "paper": 10},
)
