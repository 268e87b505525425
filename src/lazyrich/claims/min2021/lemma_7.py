r"""Lemma 7: the rate is at least $2\lambda_r(\Sigma)\,(\lambda_r(U_1U_1^\top) + \lambda_m(VV^\top))$."""

from ...lab.settings.random_layers import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .draws import ROUNDING, quantiles


def judge(data, variant) -> Evidence:
    """The least slack over all draws, and the largest where the error is the bottom eigenmatrix."""
    return Evidence(
        holds=[
            at_least(
                "rate less its bound, the least over all draws",
                data[variant].min(),
                -ROUNDING,
                why="a bound below; rounding of eigenvalues in units of the fastest rate",
            ),
            at_most(
                "rate less its bound where it should be attained, the largest",
                data.tight_7.max(),
                ROUNDING,
                why="equal singular values and the bottom eigenmatrix as the error: equality",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The bound over the rate, draw by draw."""
    return Drawing(
        [quantiles(data, "share_7", "Random errors: lemma 7 over the rate")],
        columns=1,
        caption="Random layers, errors and inputs: the bound of lemma 7 over the rate, draws in increasing order. It "
        "never exceeds 1; it is 1 where the error is the bottom eigenmatrix of both layers (not shown).",
    )


CLAIM = Claim(
    kind="lemma",
    title="The least eigenvalues of both layers bound the rate",
    says="At every point the excess loss falls at a rate of at least 2 lambda_r(X^T X) (lambda_r(U_1 U_1^T) + "
    "lambda_m(V V^T)), with equality where the inputs are white and the error is the product of the bottom "
    "eigenvectors.",
    source="min2021, lemma 7",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"variant": "slack_7"},
    control=Control(
        "the eigenvalues next to the least",
        changes={"variant": "eager_7"},
        breaks=("rate less its bound, the least over all draws",),
    ),
    seconds={"quick": 8, "paper": 120},
)
