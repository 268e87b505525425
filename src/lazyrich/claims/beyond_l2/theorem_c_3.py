r"""Theorem C.3: $f_{best}(T)-f(b^*)\le(R^2+L^2\sum\alpha_t^2)/2\sum\alpha_t$ for subgradient descent."""

import numpy as np

from ...lab.settings.l1_guarantees import SIMULATION
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .guarantees import draw_gap, pick, readings, so_far, subgradient_bound


def judge(data, constant) -> Evidence:
    """The best objective so far above that of the truth, over the bound."""
    gap = so_far(data.subgradient_gap, np.minimum)
    return Evidence(
        holds=readings(
            gap,
            subgradient_bound(data),
            constant,
            tight=0.05,
            why="half is lost where steps and errors are not aligned",
        )
    )


def draw(data) -> Drawing:
    """Gap and bound of one draw."""
    return draw_gap(
        pick(so_far(data.subgradient_gap, np.minimum)),
        pick(subgradient_bound(data)),
        name="best objective so far, above the truth's",
        caption="Subgradient descent from the least-squares answer, one draw: the best objective so far less that of the truth. "
        "The curve ends where it falls below, since the truth does not minimize the objective.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Subgradient descent keeps its promise",
    says="The best objective of subgradient descent so far is above that of the truth by at most (R^2 + L^2 sum a_t^2) / (2 sum "
    "a_t), R the first distance, L the largest slope met, a_t the rates: constant or fading like 1/t.",
    source="beyond_l2, theorem C.3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"constant": 1.0},
    aliases=("corollary_c_1", "theorem_d_4", "corollary_d_1"),
    control=Control("a twentieth of the bound", changes={"constant": 0.05}, breaks=("largest gap over its bound",)),
    seconds={"quick": 15, "paper": 60},
)
