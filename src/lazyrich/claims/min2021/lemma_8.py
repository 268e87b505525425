r"""Lemma 8: the imbalance of two layers and a singular value of their product bound the least eigenvalue of each."""

from ...lab.settings.random_layers import SIMULATION
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Drawing
from .draws import ROUNDING, quantiles


def judge(data, variant) -> Evidence:
    """The least slack of both bounds over all draws, and how near they come to what they bound."""
    return Evidence(
        holds=[
            at_least(
                "least eigenvalue less its bound, the least over all draws",
                data[variant].min(),
                -ROUNDING,
                why="a bound below, for both layers; rounding of eigenvalues in units of the sum of all squares",
            ),
            at_least(
                "bound over the eigenvalue, the largest",
                data.share_8.max(),
                1 - 1e-6,
                why="one row and one output: the quadratic equation of the scalar net, so equality",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The bounds over the eigenvalues, draw by draw."""
    return Drawing(
        [quantiles(data, "share_8", "Lemma 8 over the least eigenvalues")],
        columns=1,
        caption="Random layers: the bound of lemma 8 over the least eigenvalue, both layers, draws in increasing "
        "order. For one row and one output some bounds are attained; larger layers leave room.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Imbalance and product bound each layer below",
    says="For F with r rows, G with m columns and D = F^T F - G G^T: lambda_m(G^T G) >= (-p + q + sqrt((p + q)^2 + 4 "
    "sigma_m(F G)^2))/2 with p the largest eigenvalue of D and q the m-th of -D, or 0 where they are negative; and "
    "the same for F F^T.",
    source="min2021, lemma 8",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"variant": "slack_8"},
    control=Control(
        "the least positive eigenvalue of D in the place of the largest",
        changes={"variant": "eager_8"},
        breaks=("least eigenvalue less its bound, the least over all draws",),
    ),
    seconds={"quick": 8, "paper": 120},
)
