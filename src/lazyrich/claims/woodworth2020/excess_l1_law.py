r"""From depth 3 on the excess l1 norm is $\alpha^D\sum_{\text{off}}|h_D(\hat p_i)|(1-|\hat p_i|)$: no free constant."""

import numpy as np

from ...lab.settings.small_scales import DEEP
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points

# Halving the scale changes the ratio by less than this once it has settled.
SETTLED = 0.01


def ratios(data, depth, lost):
    """The excess over its law, and whether it is certified and halving the scale left it alone."""
    ratio = data.excess / data.law * 2.0 ** (-lost)
    return ratio, (abs(data.before / data.excess - 1) < SETTLED) & data.certified


def judge(data, depth, lost) -> Evidence:
    """The ratio on the draws where it has settled, for each depth."""
    ratio, settled = ratios(data, depth, lost)
    within = (abs(ratio - 1) <= 0.02).where(settled)
    return Evidence(
        sound=[
            at_least(
                "least share of draws that have settled",
                settled.mean("trial").min(),
                0.5,
                why="the law is a limit: a draw with a price near one off the support nears it late",
            )
        ],
        holds=[
            at_least(
                "least share of settled draws within 2% of the law",
                within.mean("trial").min(),
                0.8,
                why="where halving alpha changes the ratio by under 1% and corrections fall like a power of alpha of "
                "order one, what is left is of the same size",
            ),
            at_most(
                "farthest median of the ratio from 1",
                abs(ratio.where(settled).median("trial") - 1).max(),
                0.01,
                why="half of the draws are settled to far better than 1%",
            ),
        ],
    )


def draw(data, depth) -> Drawing:
    """Excess against law, one point a draw and depth."""
    marks = [
        Points(f"depth {int(D)}", data.law.sel(depth=D).values, data.excess.sel(depth=D).values) for D in depth.values
    ]
    finite = data.law.values[np.isfinite(data.law.values)]
    ends = np.array([finite.min(), finite.max()])
    return Drawing(
        panels=[
            Panel(
                [*marks, Line("equal", ends, ends, role="theory")],
                x=Axis("law: sum |h_D(p)|(1 - |p|) off the support", scale="log"),
                y=Axis("(|beta_alpha|_1 - least)/alpha^D", scale="log"),
            )
        ],
        columns=1,
        caption="The excess l1 norm over alpha^D at a small scale beside what the prices of the center dual say, one "
        "point a draw.",
    )


CLAIM = Claim(
    kind="derived",
    title="Depth hastens the rich limit, with its constant",
    says="For noiseless sparse data and D >= 4, |beta_alpha|_1 - |beta_l1|_1 = alpha^D sum_off |h_D(p_i)|(1 - |p_i|)(1 "
    "+ o(1)), p the prices of the dual that is the center of all optimal ones: polynomially fast, the faster the deeper.",
    source="woodworth2020, theorem 3",
    simulation=DEEP,
    judge=judge,
    draw=draw,
    constants={"lost": 0},
    control=Control(
        "twice the law",
        changes={"lost": 1},
        breaks=("least share of settled draws within 2% of the law", "farthest median of the ratio from 1"),
    ),
    seconds={"quick": 10, "paper": 60},
)
