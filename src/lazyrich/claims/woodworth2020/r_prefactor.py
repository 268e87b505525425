r"""$R_\alpha(\beta) = \alpha^2\sum_i r(\beta_i/\alpha^2)$: the paper leaves out $\alpha^2$."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.entropy_curves import entropy
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def least_distance(alpha, beta):
    r"""$\min_{u^2-v^2=\beta}(u-\alpha)^2+(v-\alpha)^2$ over the weights themselves, and $r(\beta/\alpha^2)$."""
    from scipy.optimize import fminbound

    def cost(v):
        u = np.sqrt(beta + v**2)
        return (u - alpha) ** 2 + (v - alpha) ** 2

    # The best v lies between 0 and alpha: beyond, both weights would be farther away.
    best = fminbound(cost, 0.0, alpha, xtol=1e-12 * alpha)
    return {"distance": cost(best), "r": entropy(beta / alpha**2, 4)}


SIMULATION = Simulation(
    least_distance,
    params=[
        Param(
            "alpha", (0.03, 0.1, 0.3, 1.0, 3.0), smoke=(0.1, 2.0), low=1e-2, high=10.0, unit="both weights at the start"
        ),
        Param("beta", (0.1, 0.5, 1.0, 4.0), smoke=(0.5, 1.0), low=1e-2, high=100.0, unit="their difference of squares"),
    ],
    returns={"distance": "", "r": ""},
    random=False,
    host=True,
)


def judge(data, alpha, power) -> Evidence:
    """The formula over the distance found by search."""
    return Evidence(
        holds=[
            at_most(
                "formula over least distance, from 1",
                abs(alpha**power * data.r / data.distance - 1).max(),
                1e-6,
                why="the weights' differences from alpha, at least 2e-4 alpha here, are squared after rounding: 1e-12, "
                "and a search that stops short leaves as little; a missing factor is far above",
            )
        ]
    )


def draw(data, alpha, beta) -> Drawing:
    """Both formulas and the search against the scale."""
    at = float(beta.values[-2])
    one = data.sel(beta=at)
    return Drawing(
        panels=[
            Panel(
                [
                    Points("least distance, by search", alpha.values, one.distance.values),
                    Line("alpha^2 r(beta/alpha^2)", alpha.values, (alpha**2 * one.r).values, role="theory"),
                    Line("printed: r(beta/alpha^2)", alpha.values, one.r.values, role="control"),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("squared distance", scale="log"),
            )
        ],
        columns=1,
        caption=f"The least squared distance of weights with u^2 - v^2 = {at:g} from a start at alpha.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The factor of the distance",
    says="The least squared distance from the start is R_alpha(beta) = alpha^2 sum_i r(beta_i/alpha^2); the paper prints it "
    "without alpha^2. The minimizer is the same, the value and its limit |beta|_1 are not.",
    source="woodworth2020, section 4 after equation 9",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 2},
    control=Control("no factor, as printed", changes={"power": 0}, breaks=("formula over least distance, from 1",)),
    seconds={"quick": 1, "paper": 1},
)
