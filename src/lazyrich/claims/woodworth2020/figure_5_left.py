r"""Figure 5, left: the excess nuclear norm of completed matrices over scale and width; it sets in at $\alpha^2k\sim1$."""

from ...lab.settings.matrix_completion import ALPHA, SIMULATION, WIDTH
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Drawing
from .completion import exponent, heat, lifted, threshold

# Twenty by twenty: k from d to 10^4, alpha over two decades and a half around k^(-1/2).
GRID = {
    "alpha": tuple(10.0 ** (-3 + 2.5 * at / 19) for at in range(20)),
    "width": tuple(float(round(10 ** (1 + 3 * at / 19))) for at in range(20)),
    "trials": 20,
}


def judge(data, power) -> Evidence:
    """Small below, large above, and the edge moves with the width as it must for one value of alpha^2 k."""
    excess = ((data.nuclear - data.true_nuclear) / data.true_nuclear).mean("trial", skipna=False)
    scale = lifted(data)
    edge = threshold(excess.sel(width=data.width >= 1000), 0.1)
    return Evidence(
        sound=[
            at_most("loss at the end over the loss of zero", data.loss.max(), 1e-9, why="ten times the stopping level")
        ],
        holds=[
            at_most(
                "excess nuclear norm at alpha^2 k <= 1e-3, over |Y*|",
                excess.where(scale <= 1.1e-3).max(),
                0.1,
                why="nearly nothing: a tenth of the norm. It may be negative where Y* is not the least one",
            ),
            at_least(
                "excess nuclear norm at alpha^2 k >= 1e3, over |Y*|",
                excess.where(scale >= 1e3).min(),
                1,
                why="the start's own norm, about sigma d^(3/2) >= 100 against |Y*| of order 10, stays in the entries not seen",
            ),
            near(
                "exponent of the edge in alpha against the width, k >= 1000",
                exponent(edge),
                power,
                0.12,
                why="alpha^2 k alone: alpha ~ k^(-1/2). The start's own norm and Gram matrices that deviate by "
                "0.14 at k = 1000 move the "
                "edge by a quarter at most: log(1.25) over log(10) is 0.1",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The map of the excess."""
    excess = (data.nuclear - data.true_nuclear).mean("trial")
    return heat(
        excess,
        "excess nuclear norm",
        "Excess nuclear norm",
        "The nuclear norm of the completed matrix less that of the truth, the mean over draws; cut off at 10. Near zero below "
        "alpha^2 k = 1, large above. Slightly negative values are real: the known entries do not always make Y* the least.",
        high=10.0,
    )


CLAIM = Claim(
    kind="figure",
    title="Excess nuclear norm over scale and width",
    says="Completing a rank-one 10 x 10 matrix from 60 entries by factors of width k from N(0, alpha^2), the excess of the "
    "nuclear norm over that of the truth is near zero for alpha^2 k << 1 and large above: the edge lies at one "
    "value of alpha^2 k.",
    source="woodworth2020, figure 5 left",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": -0.5},
    sizes={"paper": GRID},
    least={ALPHA.name: 2, WIDTH.name: 2},
    aliases=("figure_5",),
    control=Control(
        "the scale of the predictor, alpha^2 sqrt(k), in place of that of the lifted matrix",
        changes={"power": -0.25},
        breaks=("exponent of the edge in alpha against the width, k >= 1000",),
    ),
    seconds={"quick": 12, "paper": 240},
)
