r"""Theorem C.13: the bound of theorem C.3 over $\beta$ holds for $\|b\|_1-\|b^*\|_1$, up to $\lambda\|b^*\|^2/2\beta$."""

import numpy as np

from ...lab.settings.l1_guarantees import SIMULATION
from ..base import Claim, Control, Evidence
from ..drawing import Drawing
from .guarantees import draw_gap, pick, readings, so_far, subgradient_bound


def bound(data, strength, decay):
    """The bound on the l1 norm above the truth's."""
    return subgradient_bound(data) / strength + decay * data.length / (2 * strength)


def judge(data, strength, decay, constant) -> Evidence:
    """The least l1 norm so far above that of the truth, over the bound."""
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
        name="least l1 norm so far, above the truth's",
        caption="Subgradient descent from the least-squares answer, one draw. From a start near zero the bound says nothing: the "
        "norm is below the truth's at once.",
    )


CLAIM = Claim(
    kind="theorem",
    title="The l1 norm comes down to the truth's",
    says="The least l1 norm of subgradient descent so far is above that of the truth by (R^2 + L^2 sum a_t^2) / (2 strength "
    "sum a_t) + decay |b*|^2 / (2 strength), at most, without noise.",
    source="beyond_l2, theorem C.13",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"constant": 1.0},
    control=Control("a twentieth of the bound", changes={"constant": 0.05}, breaks=("largest gap over its bound",)),
    seconds={"quick": 15, "paper": 60},
)
