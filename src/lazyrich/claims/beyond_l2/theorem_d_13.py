r"""Theorem D.13: $\|A\|_*-\|A^*\|_*$ is at most the subgradient bound over $\beta_*$, and $\lambda\|A^*\|_F^2/2\beta_*$."""

import numpy as np

from ...lab.settings.nuclear_guarantees import SIMULATION
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .guarantees import draw_gap, pick, readings, so_far
from .theorem_c_13 import bound


def judge(data, strength, decay, constant) -> Evidence:
    """The least nuclear norm so far above that of the truth, over the bound."""
    gap = so_far(data.subgradient_excess, np.minimum)
    return Evidence(
        holds=readings(
            gap,
            bound(data, strength, decay),
            constant,
            tight=0.05,
            why="what the objective's own bound loses, and the data loss",
        )
    )


def draw(data, strength, decay) -> Drawing:
    """Gap and bound of one draw."""
    return draw_gap(
        pick(so_far(data.subgradient_excess, np.minimum)),
        pick(bound(data, strength, decay)),
        name="least nuclear norm so far, above the truth's",
        caption="Subgradient descent in matrix completion from known entries and zeros elsewhere, one draw. From a start near "
        "zero the bound says nothing: the norm is below the truth's at once.",
    )


CLAIM = Claim(
    kind="theorem",
    title="The nuclear norm comes down to the truth's",
    says="The least nuclear norm of subgradient descent so far is above that of the truth by (R^2 + L^2 sum a_t^2) / (2 "
    "strength sum a_t) + decay |A*|^2 / (2 strength), at most, without noise.",
    source="beyond_l2, theorem D.13",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"constant": 1.0},
    control=Control("a twentieth of the bound", changes={"constant": 0.05}, breaks=("largest gap over its bound",)),
    seconds={"quick": 12, "paper": 120},
)
