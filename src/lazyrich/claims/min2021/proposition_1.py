"""Proposition 1: the rate at every point is at least what the imbalance and the product of the layers say."""

from ...lab.settings.random_layers import SIMULATION
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Drawing
from .draws import ROUNDING, quantiles


def judge(data, variant) -> Evidence:
    """The least slack over all draws, the sandwich of each bracket, and how near the bound comes to the rate."""
    return Evidence(
        holds=[
            at_least(
                "rate less its bound, the least over all draws",
                data[variant].min(),
                -ROUNDING,
                why="a bound below; rounding of eigenvalues in units of the fastest rate",
            ),
            at_least(
                "each bracket within level and sqrt(level^2 + 4 sigma^2), the least room",
                data.sandwich.min(),
                -ROUNDING,
                why="it falls from the one to the other as the spread of the imbalance grows",
            ),
            at_least(
                "bound over the rate, the largest",
                data.share_1.max(),
                1 - 1e-6,
                why="one row and one output: the scalar identity",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The bound over the rate, draw by draw."""
    return Drawing(
        [quantiles(data, "share_1", "Proposition 1 over the rate at its slowest")],
        columns=1,
        caption="Random layers with white inputs and the error that falls most slowly: the bound of proposition 1 "
        "over the rate, draws in increasing order.",
    )


CLAIM = Claim(
    kind="proposition",
    title="Imbalance and product bound the rate",
    says="At every point the excess loss falls at a rate of at least lambda_r(X^T X) times the sum of -s + sqrt((s + "
    "l)^2 + 4 sigma^2), l the level of imbalance: once with s the spread of its positive eigenvalues and sigma_m of "
    "the product, once with that of the negative ones and sigma_r.",
    source="min2021, proposition 1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"variant": "slack_1"},
    control=Control(
        "the spreads of the imbalance left out",
        changes={"variant": "eager_1"},
        breaks=("rate less its bound, the least over all draws",),
    ),
    seconds={"quick": 8, "paper": 120},
)
