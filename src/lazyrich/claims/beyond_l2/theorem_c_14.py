r"""Theorem C.14: $\|b_{best}\|_1-\|b^*\|_1\le(R^2+n\sum\beta^2\alpha_t^2)/2\sum\beta\alpha_t$ for projected descent."""

import numpy as np

from ...lab.settings.l1_guarantees import SIMULATION
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .guarantees import draw_gap, pick, readings, so_far, taken


def bound(data, strength, d):
    """The bound on the l1 norm above the truth's."""
    total, squares = taken(data)
    return (data.distance + d * strength**2 * squares) / (2 * strength * total)


def judge(data, strength, d, constant) -> Evidence:
    """The least l1 norm so far above that of the truth, over the bound."""
    gap = so_far(data.projected_excess, np.minimum)
    return Evidence(
        holds=readings(
            gap, bound(data, strength, d), constant, tight=0.2, why="a half where the way is straight to the truth"
        )
    )


def draw(data, strength, d) -> Drawing:
    """Gap and bound of one draw."""
    return draw_gap(
        pick(so_far(data.projected_excess, np.minimum)),
        pick(bound(data, strength, d)),
        name="least l1 norm so far, above the truth's",
        caption="Projected subgradient descent from the least-squares answer, one draw: it stays on the data, so its norm nears "
        "that of the truth from above.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Projected descent keeps its promise",
    says="The least l1 norm of projected subgradient descent so far is above that of the truth by (R^2 + n sum c_t^2) / (2 "
    "sum c_t), at most, c_t the rate times the strength.",
    source="beyond_l2, theorem C.14",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"constant": 1.0},
    control=Control("a fifth of the bound", changes={"constant": 0.2}, breaks=("largest gap over its bound",)),
    seconds={"quick": 15, "paper": 60},
)
