r"""Figure 1b: the excess l1 norm falls slowly as the scale does, the excess l2 norm like $\alpha^{-8}$ as it grows."""

import numpy as np

from ...lab.settings.entropy_path import CHECKED
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Slope


def excess_l2(data):
    r"""$\|\beta_\alpha\|_2 - \|\beta_{\ell_2}\|_2$, without cancellation: the vectors differ at right angles to the second."""
    return data.apart_l2 / (np.sqrt(data.norm_l2**2 + data.apart_l2) + data.norm_l2)


def judge(data, power) -> Evidence:
    """Signs, the direction of both curves, and the powers at which they fall."""
    red = excess_l2(data)
    logs = np.log(data.alpha)
    far = (data.alpha > 3 * data.norm_l2**0.5) & (data.apart_l2 > 1e-18 * data.norm_l2**2)
    steep = (np.log(red).diff("m") / logs.diff("m")).where(far.isel(m=slice(1, None)))
    slow = (np.log(data.excess_l1).diff("m") / logs.diff("m")).where(data.alpha.isel(m=slice(1, None)) < 1e-3)
    return Evidence(
        sound=[at_least("fewest scales of the far law", far.sum("m").min(), 2, why="an empty range says nothing")],
        holds=[
            at_most(
                "deepest fall below the least l1 norm",
                (-data.excess_l1).clip(min=0).max(),
                1e-12,
                why="nothing is below the least; rounding of norms of order 1",
            ),
            at_most(
                "largest rise of the excess l1 norm as alpha falls, over its largest value",
                (data.excess_l1.diff("m").max("m") / data.excess_l1.max("m")).max(),
                0.02,
                why="the curve increases in alpha up to a small overshoot near alpha = 1, where another norm is being "
                "minimized",
            ),
            at_most(
                "largest rise of the excess l2 norm as alpha grows, over its largest value",
                (-red.diff("m").min("m") / red.max("m")).max(),
                0.02,
                why="the curve decreases in alpha, up to as much near the rich end",
            ),
            near(
                "power of alpha at which the excess l2 norm falls",
                steep.median(),
                -power,
                0.05,
                why="the vectors differ by O(alpha^-4), orthogonally to least l2; corrections are of order "
                "|beta|^2/alpha^4 <= 1/81",
            ),
            at_most(
                "power of alpha at which the excess l1 norm falls below 1e-3, median",
                slow.median(),
                1,
                why="2(1 - rho) with prices near one off the support: far below 8, which makes the approach slow",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Both excesses, as in the paper and on logarithmic axes."""
    one = data.isel(trial=0)
    alpha, blue, red = one.alpha.values, one.excess_l1.values, excess_l2(one).values
    top = int(np.argmin(abs(alpha - 10)))
    return Drawing(
        panels=[
            Panel(
                [Line("|beta|_1 - least", alpha, blue), Line("|beta|_2 - least", alpha, red, role="control")],
                x=Axis("alpha", scale="log"),
                y=Axis("excess norm", low=0),
            ),
            Panel(
                [
                    Line("|beta|_1 - least", alpha, np.where(blue > 1e-16, blue, np.nan)),
                    Line("|beta|_2 - least", alpha, np.where(red > 1e-16, red, np.nan), role="control"),
                    Slope("alpha^-8", alpha[(alpha > 0.3) & (alpha < 100)], (float(alpha[top]), float(red[top])), -8),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("excess norm", scale="log", low=1e-16, high=100),
                title="How fast",
            ),
        ],
        caption="How far the norms of the flow's end are above the least, one draw. Least l2 is neared like alpha^-8 "
        "as alpha grows, least l1 far more slowly as it falls.",
    )


CLAIM = Claim(
    kind="figure",
    title="Fast to least l2, slow to least l1",
    says="|beta_alpha|_1 - |beta_l1|_1 increases in alpha and tends to 0 slowly as alpha falls; |beta_alpha|_2 - "
    "|beta_l2|_2 decreases in alpha and falls like alpha^-8.",
    source="woodworth2020, figure 1b",
    simulation=CHECKED,
    judge=judge,
    draw=draw,
    constants={"power": 8},
    control=Control(
        "alpha^-4, the power of the vectors' distance",
        changes={"power": 4},
        breaks=("power of alpha at which the excess l2 norm falls",),
    ),
    seconds={"quick": 12, "paper": 60},
)
