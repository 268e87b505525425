r"""Figure 5, right: how far entries that were not seen move from $U(0)V(0)^\top$, over scale and width."""

import numpy as np

from ...lab.settings.matrix_completion import ALPHA, SIMULATION, WIDTH
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Drawing
from .completion import exponent, heat, lifted, threshold
from .figure_5_left import GRID


def judge(data, n, d, cols, power) -> Evidence:
    """All the way to the truth below the edge, next to nothing above it in wide nets, and as much as noise makes them move."""
    share = (data.change / data.needed).mean("trial", skipna=False)
    scale, wide = lifted(data), data.width >= 1000
    edge = threshold(-share.sel(width=data.width >= 100), -1 / 3)
    expected = np.sqrt(n * (1 / d + 1 / cols) / 4 / data.width)
    return Evidence(
        sound=[
            at_most("loss at the end over the loss of zero", data.loss.max(), 1e-9, why="ten times the stopping level")
        ],
        holds=[
            at_least(
                "share of the way to the truth at alpha^2 k <= 1e-3",
                share.where(scale <= 1.1e-3).min(),
                0.65,
                why="1 in the limit; entries that the others do not determine well stay behind",
            ),
            at_most(
                "share of the way to the truth at alpha^2 k >= 10, k >= 1000",
                share.where((scale >= 10) & wide).max(),
                0.15,
                why="kernel regime: first-order moves of unseen entries are sqrt(n/2d)/sqrt(k) of the others' needs, 0.055 at "
                "k = 1000, and second-order ones fall like 1/(alpha^2 k)",
            ),
            near(
                "that share over sqrt(n (1/d + 1/d') / 4k), at alpha^2 k >= 100, k >= 1000",
                (share / expected).where((scale >= 99) & wide).mean(),
                1,
                0.4,
                why="A = -r/(2 alpha^2 k) on seen entries moves unseen ones by A(VV^T) + (UU^T)A, sums of n/d + "
                "n/d' products with "
                "off-diagonal Gram entries alpha^2 sqrt(k); residuals are those of the draws, and 4 of them vary by a third",
            ),
            near(
                "exponent of the edge in alpha against the width, a third of the way, k >= 100",
                exponent(edge),
                power,
                0.1,
                why="alpha^2 k alone: alpha ~ k^(-1/2); the narrowest Gram matrix deviates by 0.45, worth 0.05 "
                "as in the left part",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The map of the moves."""
    return heat(
        data.change.mean("trial"),
        "root mean square change",
        "Change of unseen entries",
        "Root mean square change of the entries that were not seen, from U(0) V(0)^T to the end; mean over "
        "draws. Near zero above "
        "alpha^2 k = 1 where the net is wide. It rises again like alpha^2, since the start's own output alpha^2 "
        "sqrt(k) must be undone where entries are seen, and at "
        "k = d the Gram matrix is far from a multiple of I and entries move at every scale.",
        high=1.0,
    )


CLAIM = Claim(
    kind="figure",
    title="Change of unseen entries over scale and width",
    says="Completing a rank-one 10 x 10 matrix from 60 entries by factors of width k from N(0, alpha^2), unseen "
    "entries go to the "
    "truth for alpha^2 k << 1 and stay where they started for alpha^2 k >> 1 and k >> d: the edge lies at one "
    "value of alpha^2 k.",
    source="woodworth2020, figure 5 right",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": -0.5},
    sizes={"paper": GRID},
    least={ALPHA.name: 2, WIDTH.name: 2},
    control=Control(
        "the scale of the predictor, alpha^2 sqrt(k), in place of that of the lifted matrix",
        changes={"power": -0.25},
        breaks=("exponent of the edge in alpha against the width, a third of the way, k >= 100",),
    ),
    seconds={"quick": 12, "paper": 240},
)
