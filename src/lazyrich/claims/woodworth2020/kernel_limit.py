r"""The tangent kernel moves by a share of $\beta^2/\alpha^{2D}$: at depth 2 its metric is multiplied by $\cosh p_i$."""

import numpy as np

from ...lab.settings.diagonal_starts import SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Slope
from ..labelled import farthest, last_power


def refer(problem, scale, depth, share):
    r"""The relative change of $\sum_im_ix_ix_i'$ with $m_i$ the metric at the price of theory's answer, times `share`."""
    from ...numerics.entropy_links import link_of
    from ...predictors import MinHyperbolicEntropy

    told, x = MinHyperbolicEntropy(scale ** (1 / depth), depth=depth).solve(problem.train), np.asarray(problem.train.x)
    link = link_of(depth)
    price = share * link.price(link.sigma(told.effective, np.full(x.shape[1], np.log(scale))))
    if depth == 2:
        grown = 2 * np.sinh(price / 2) ** 2
    else:
        power = -2 * (depth - 1) / (depth - 2)
        grown = (np.expm1(power * np.log1p(-price)) + np.expm1(power * np.log1p(price))) / 2
    return {"entropy": told, "change": np.linalg.norm((x * grown) @ x.T) / np.linalg.norm(x @ x.T)}


def judge(data, told, order) -> Evidence:
    """The change of the kernel, by automatic derivatives at the flow's two ends, against theory's."""
    apart = abs(data.change / told["change"] - 1)
    slope = last_power(data.change, "scale").median("trial")
    return Evidence(
        holds=[
            at_most(
                "change of the kernel over theory's, less 1",
                apart.max(),
                1e-5,
                why="quadratic in an answer good to 1e-7, with the condition of the inputs squared",
            ),
            near(
                "power of alpha^D at which the change falls",
                farthest(slope, order),
                order,
                0.15,
                why="p^2/2 = beta^2/(8 alpha^4) at depth 2, so alpha^-4, and alpha^(-2D) at every depth; the next "
                "term is a "
                "hundredth at the smaller of the last two scales",
            ),
        ],
    )


def draw(data, told, scale, depth) -> Drawing:
    """The change of the kernel against the scale of the start, by depth."""
    marks = []
    for at, k in enumerate(depth.values):
        found, theory = (part.sel(depth=k).median("trial").values for part in (data.change, told["change"]))
        alpha = scale.values ** (1 / int(k))
        marks += [
            Points(f"depth {int(k)}", alpha, found, role=SERIES[at % 3]),
            Line(f"theory, depth {int(k)}", alpha, theory, role="theory"),
            Slope(f"alpha^{-2 * int(k)}", alpha[-3:], (float(alpha[-1]), float(found[-1])), -2 * int(k)),
        ]
    return Drawing(
        panels=[
            Panel(marks, x=Axis("alpha", scale="log"), y=Axis("|K(end) - K(0)| / |K(0)|", scale="log")),
        ],
        columns=1,
        caption="How far the tangent kernel on the samples moves until the data are fitted, the median over draws: "
        "like alpha^(-2D) "
        "once the start is large.",
    )


CLAIM = Claim(
    kind="statement",
    title="The kernel stands still as the scale grows",
    says="The tangent kernel of a diagonal net moves from K(0) to K(0) with each coordinate multiplied by "
    "cosh(arcsinh(beta_i / "
    "2 alpha^2)) at depth 2, by the mean of (1 -/+ p_i)^(-2(D-1)/(D-2)) at depth D: the relative change falls like "
    "alpha^-4, "
    "like alpha^(-2D) in general.",
    source="woodworth2020, section 3",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"share": 1.0, "order": 2.0},
    sizes={"smoke": {"depth": (2,)}, "quick": {"depth": (2, 3)}, "paper": {"depth": (2, 3, 4)}},
    least={"scale": 2},
    control=Control(
        "half the exponent, and a change of first order in the answer",
        changes={"share": 0.5, "order": 1.0},
        breaks=("change of the kernel over theory's, less 1", "power of alpha^D at which the change falls"),
    ),
    seconds={"quick": 25, "paper": 60},
)
