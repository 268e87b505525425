r"""Lemma C.6: in the kernel phase outputs are those of the linearized net, up to a share of order $\|\delta\|$."""

import numpy as np

from ...lab.settings.kernel_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest
from .kernel_phase import Phase, ended, refer

# Below this turn the share of the remainder, which falls like its square, is near rounding.
SEEN = 1e-4


def shares(data, phase):
    r"""$\max_i|q_i - \langle\nabla q_i(\bar\theta), h\rangle|/\|h\|$ at the moments where it can be read."""
    remainder = abs(data.margins - data.linear).max("n") / phase.size
    return remainder.where(phase.inside & (data.moved > SEEN))


def judge(data, told, log_alpha, depth, power, order) -> Evidence:
    """The remainder against Taylor's bound, and the power of the turn it goes with."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    share = shares(data, phase)
    small = (data.moved > SEEN) & (data.moved < 0.1)
    first, last = small.argmax("t"), small.cumsum("t").argmax("t")
    rise = [np.log(part.isel(t=last) / part.isel(t=first)) for part in (share, data.moved)]
    return Evidence(
        sound=[
            ended(phase),
            at_least(
                "fewest moments at which the remainder is read",
                share.notnull().sum("t").min(),
                4,
                why="a power needs a few",
            ),
        ],
        holds=[
            at_most(
                "remainder over |h|, in units of Taylor's bound",
                (share / (told["bend"] / 2 * data.moved**order)).max(),
                1,
                why="half the largest second derivative in the ball, times |delta|",
            ),
            near(
                "power of |delta| at which remainder over |h| falls",
                farthest(rise[0] / rise[1], 2),
                2,
                0.15,
                why="the halves turn by opposite amounts to first order, so that Taylor's even terms cancel: one power more than "
                "the lemma needs; the next one is two further, |delta|^2 = 0.01 at most",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power) -> Drawing:
    """The remainder against the turn: all moments, scales, decays and draws."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    share = shares(data, phase)
    x = data.moved.where(share.notnull()).transpose(*share.dims)
    marks = [
        Points(f"depth {int(k)}", x.sel(depth=k).values.ravel(), share.sel(depth=k).values.ravel(), role=SERIES[at % 3])
        for at, k in enumerate(depth.values)
    ]
    marks = [Points(m.name, m.x[m.x > 0], m.y[m.x > 0], role=m.role) for m in marks]
    ends, bend = [SEEN, float(x.max())], float(told["bend"].max())
    return Drawing(
        [
            Panel(
                [
                    *marks,
                    Slope("|delta|: allowed", ends, (ends[0], bend / 2 * ends[0]), 1, role="control"),
                    Slope("|delta|^2", ends, (float(np.median(marks[0].x)), float(np.median(marks[0].y))), 2),
                ],
                x=Axis("turn of the direction |delta|", scale="log"),
                y=Axis("remainder over |h|", scale="log"),
            )
        ],
        columns=1,
        caption="What the linearized net misses of the margins, over |h|, against how far the direction has turned: below "
        "Taylor's bound, and smaller by a power, since the two halves of the net turn by opposite amounts.",
    )


CLAIM = Claim(
    kind="lemma",
    title="In the kernel phase outputs are linear in the turn",
    says="With delta = e^(decay t) theta/alpha - theta_0 and h = alpha^D e^(-D decay t) delta the margins are <grad "
    "q_i(theta_0), h> "
    "up to O(|delta|) |h|, through all of the kernel phase; for a mirrored net up to O(|delta|^2) |h|.",
    source="lyu2024, lemma C.6",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"order": 1},
    control=Control(
        "a remainder of two orders less: |delta|^3",
        changes={"order": 3},
        breaks=("remainder over |h|, in units of Taylor's bound",),
    ),
    seconds={"quick": 20, "paper": 90},
)
